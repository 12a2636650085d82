import { createRandom } from "../../core/random.ts"
import type { JudgedAnswer } from "./judged-answer.ts"

/** How answers are chosen for labelling. */
export type Drawn = "doubt" | "chance"

/**
 * The answers that a person is to label, in random order.
 * - `doubt`: those that need a person most: no score, judges far apart, or a score near the threshold;
 * - `chance`: a random part, which is what corrects a mean without bias.
 *
 * @param threshold score that separates good from bad; the middle of the range when null
 */
export function chooseAnswers(
  answers: readonly JudgedAnswer[],
  options: {
    readonly drawn: Drawn
    readonly limit: number
    readonly seed: number
    readonly threshold: number | null
  },
): readonly JudgedAnswer[] {
  const random = createRandom(`${options.seed}/label/${options.drawn}`)
  const shuffled = random.shuffle(answers)
  if (options.drawn === "chance") return shuffled.slice(0, options.limit)
  const doubts = new Map(shuffled.map((answer) => [answer, doubt(answer, options.threshold)]))
  const needed = [...shuffled].sort((a, b) => (doubts.get(b) as number) - (doubts.get(a) as number))
  return random.shuffle(needed.slice(0, options.limit))
}

/** 0..2: how far the judges are apart, plus how near the score is to the threshold; 2 without a score. */
export function doubt({ row }: JudgedAnswer, threshold: number | null): number {
  if (row.score === null) return 2
  const [low, high] = row.range
  const width = high - low
  const middle = threshold ?? (low + high) / 2
  const nearness = 1 - Math.abs(row.score - middle) / Math.max(high - middle, middle - low)
  return (row.disagreement ?? 0) / width + Math.max(0, nearness)
}
