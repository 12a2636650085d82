import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, member, numberOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import type { Occasions } from "../occasions.ts"
import { type RowFormat, rowsLog } from "../row-format.ts"

/**
 * Files of MT-bench, a sample a turn: answers (`model_answer`), single judgments (`model_judgment/*_single.jsonl`), and judgments of two
 * answers side by side (`*_pair.jsonl`), of which each model has its wins.
 */
export const mtBench: RowFormat = {
  is(row) {
    if (!("question_id" in row)) return false
    if (listOf(row.choices).some((choice) => Array.isArray(member(choice, "turns")))) return true
    if (!("judge" in row && "turn" in row)) return false
    return "g1_winner" in row ? "model_1" in row && "model_2" in row : "score" in row && typeof row.model === "string"
  },
  open: (file) =>
    rowsLog(
      file,
      {
        tool: "mt-bench",
        hasScores: false,
        metrics: new Map([
          ["score", { direction: "higher", range: [1, 10] }],
          ["win", { direction: "higher", range: [0, 1] }],
        ]),
      },
      (row, where, occasions) => {
        if ("g1_winner" in row) return comparedPair(row, where, occasions)
        return "judge" in row ? judgmentOf(row, where, occasions) : answersOf(row, where, occasions)
      },
    ),
}

function answersOf(row: JsonObject, where: string, occasions: Occasions): readonly ForeignRecord[] {
  return listOf(row.choices).flatMap((choice) =>
    textsOf(member(choice, "turns")).map((text, i) =>
      turnRecord(row, { turn: i + 1, variant: textOf(row.model_id) ?? "model", text, scores: {} }, where, occasions),
    ),
  )
}

function judgmentOf(row: JsonObject, where: string, occasions: Occasions): ForeignRecord | SkippedRow {
  const turn = numberOf(row.turn)
  if (turn === undefined) return { where, field: "turn", reason: "the judgment has no turn" }
  // The judge writes −1 where its own reply held no score.
  const score = figureOf(row.score)
  const text = answerIn(row.user_prompt, "A")
  const scores = { score: score === undefined || score < 0 ? { reason: "the judge gave no score" } : score }
  return turnRecord(row, { turn, variant: textOf(row.model) ?? "model", text, scores }, where, occasions)
}

/** Two games, in both orders: a model has won where it won both, and what is judged otherwise is a tie (FastChat's `show_result.py`). */
function comparedPair(row: JsonObject, where: string, occasions: Occasions): readonly ForeignRecord[] {
  const winners = [textOf(row.g1_winner), textOf(row.g2_winner ?? row.g1_winner)]
  const isJudged = winners.every((winner) => winner === "tie" || winner === "model_1" || winner === "model_2")
  const winner = winners[0] === winners[1] ? winners[0] : "tie"
  return (["model_1", "model_2"] as const).map((side) => {
    const win: ForeignScore = isJudged
      ? winner === "tie"
        ? 0.5
        : Number(winner === side)
      : { reason: "the judge gave no winner" }
    const text = answerIn(row.g1_user_prompt, side === "model_1" ? "A" : "B")
    const variant = textOf(row[side]) ?? side
    return turnRecord(row, { turn: numberOf(row.turn) ?? 1, variant, text, scores: { win } }, where, occasions)
  })
}

/**
 * A judgment holds the answer in what the judge was sent: of the first turn between two marks, of the second at the end of the whole
 * conversation. Null where it cannot be told.
 */
function answerIn(prompt: JsonValue | undefined, letter: "A" | "B"): string | null {
  const text = textOf(prompt) ?? ""
  const ends = [
    `<|The End of Assistant ${letter}'s Conversation with User|>`,
    `[The End of Assistant ${letter}'s Answer]`,
  ]
  const end = [...ends, "[The End of Assistant's Answer]"].map((mark) => text.lastIndexOf(mark)).find((at) => at >= 0)
  if (end === undefined) return null
  const before = text.slice(0, end)
  const starts = [
    `### Assistant ${letter}:\n`,
    `[The Start of Assistant ${letter}'s Answer]\n`,
    "[The Start of Assistant's Answer]\n",
  ]
  const start = starts.map((mark) => [before.lastIndexOf(mark), mark.length] as const).find(([at]) => at >= 0)
  return start ? before.slice(start[0] + start[1]).replace(/\n{1,2}$/, "") : null
}

interface Turn {
  readonly turn: number
  readonly variant: string
  /** Null: the file does not hold it. */
  readonly text: string | null
  readonly scores: Readonly<Record<string, ForeignScore>>
}

/** Turns of one question are not independent. */
function turnRecord(
  row: JsonObject,
  { turn, variant, text, scores }: Turn,
  where: string,
  occasions: Occasions,
): ForeignRecord {
  const question = textOf(row.question_id) ?? ""
  const category = textOf(row.category)
  const sample = foreignSample({
    id: `${question}/${turn}`,
    input: null,
    cluster: question,
    metadata: { question_id: question, turn, ...(category !== undefined && { category }) },
  })
  // An answer that the file does not hold was given all the same: it was judged.
  const answer = foreignAnswer({ text: text ?? "", ...(text === null && { outcome: "ok" as const }) }, "MT-bench")
  return { variant, sample, repeat: occasions.next(variant, sample.id), answer, scores, where }
}
