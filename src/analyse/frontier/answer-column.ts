import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isTimedOutcome } from "../../core/outcome.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import type { JointRows } from "./joint-rows.ts"

/** Figures of single answers that axes and levels are made of. */
export const answerFigures = ["ttftMs", "e2eMs", "tpotMs", "costUsd", "completionTokens"] as const
/** One of them. */
export type AnswerFigure = (typeof answerFigures)[number]

/** A figure of each answer by its position; NaN where it is unknown or was not measured. */
export function answerColumn({ answers }: ScoredVariant, figure: AnswerFigure, rows: JointRows): Float64Array {
  const column = new Float64Array(rows.size).fill(Number.NaN)
  const facts = factsBehind(answers)
  const values = facts.figure(figure)
  const positions = rows.positions(facts.answers)
  for (let index = 0; values && index < facts.length; index++) {
    const value = values[index] as number
    if (Number.isNaN(value) || facts.source(index) === "replayed") continue
    if (figure === "costUsd" || isTimedOutcome(facts.outcome(index))) column[positions[index] as number] = value
  }
  return column
}
