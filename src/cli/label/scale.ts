import type { JudgedAnswer } from "../../analyse/judge-validation/judged-answer.ts"
import { UsageError } from "../../core/errors.ts"
import { amount } from "../../words/number.ts"

/** Most scores that nine keys can stand for. */
const maxScores = 9

/**
 * The scores that a person can give, ascending. What was asked for; else the choices that the judges
 * made, when there are few; else the whole numbers of the range, or five steps of it.
 *
 * @param list `--scores`, as in `0,0.5,1`
 * @throws {UsageError} when it is no list of 2 to 9 different numbers
 */
export function labelScores(answers: readonly JudgedAnswer[], list: string | undefined): readonly number[] {
  if (list !== undefined) {
    const scores = [...new Set(list.split(",").map((text) => Number(text.trim() || "x")))].sort((a, b) => a - b)
    if (scores.length < 2 || scores.length > maxScores || scores.some(Number.isNaN))
      throw new UsageError(`--scores needs 2 to ${maxScores} different numbers`, {
        where: `--scores ${list}`,
        hint: "--scores 0,0.5,1",
      })
    return scores
  }
  const [low, high] = answers[0]?.row.range ?? [0, 1]
  const made = answers.flatMap(({ row }) => row.members.flatMap(({ choice }) => (choice === null ? [] : [choice])))
  const choices = [...new Set([low, ...made, high])].sort((a, b) => a - b)
  if (choices.length <= maxScores && choices.length > 2) return choices
  if (Number.isInteger(low) && high - low >= 2 && high - low < maxScores)
    return Array.from({ length: high - low + 1 }, (_, i) => low + i)
  return choices.length <= maxScores ? choices : Array.from({ length: 5 }, (_, i) => low + ((high - low) * i) / 4)
}

/**
 * The key for each score, in their order: the score's own digit where all of them are digits, so that 1 gives 1; else 1 for the first,
 * 2 for the second.
 *
 * @example scoreKeys([0, 1]) // ["0", "1"]; scoreKeys([0, 0.5, 1]) // ["1", "2", "3"]
 */
export function scoreKeys(scores: readonly number[]): readonly string[] {
  const digits = scores.every((score) => Number.isInteger(score) && score >= 0 && score <= 9)
  return scores.map((score, i) => String(digits ? score : i + 1))
}

/**
 * What stands beside the key of each score: the score where the key is another digit, and which ones are the ends of the scale.
 *
 * @example scoreMeanings([0, 1]) // ["lowest", "highest"]; scoreMeanings([0, 0.5, 1]) // ["0, lowest", "0.5", "1, highest"]
 */
export function scoreMeanings(scores: readonly number[]): readonly string[] {
  const keys = scoreKeys(scores)
  return scores.map((score, i) =>
    [
      ...(keys[i] === amount(score) ? [] : [amount(score)]),
      ...(i === 0 ? ["lowest"] : []),
      ...(i === scores.length - 1 ? ["highest"] : []),
    ].join(", "),
  )
}
