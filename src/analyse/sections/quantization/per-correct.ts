import type { AnswerFacts } from "../../../core/metric/scored-variant.ts"
import { type Figure, type KnownFigure, unknown } from "../../../core/report/figure.ts"
import { unitKey } from "../../../rows/entries.ts"
import { groupUnits } from "../../../stats/resampling/units.ts"
import { sum } from "../../../stats/sum.ts"
import { methods } from "../../../wording/methods.ts"
import { noFigure } from "../../../wording/reasons.ts"
import { interval } from "../../compare/changes.ts"
import { turnBlocks } from "../../compare/turns.ts"
import { withTimingError } from "./timing-error.ts"

/** Two answers to one sample with how correct each is, 0..1; 0 for an answer that failed or has no score. */
export interface JudgedPair {
  readonly answers: readonly [AnswerFacts, AnswerFacts]
  readonly correct: readonly [number, number]
}

/** Fewer correct answers than this do not carry a ratio. */
const minCorrect = 5

/**
 * What a correct answer takes of the candidate as a share of what it takes of the reference: the ratio of the mean amounts
 * (over pairs that both have one), divided by the ratio of the shares of correct answers (over all pairs, so that a failure
 * makes the correct ones dearer). Student t on the logarithm by the delta method; over samples (clusters), and for times over
 * blocks of turns as well: the wider of the two.
 *
 * @param amount what an answer took; null where it was not measured
 * @param options.timeErrorMs for times: a difference that evalkit's own error could make is marked, and each where that was not measured (null); absent for other amounts
 */
export function perCorrect(
  pairs: readonly JudgedPair[],
  amount: (answer: AnswerFacts) => number | null,
  { alpha, timeErrorMs }: { readonly alpha: number; readonly timeErrorMs?: number | null },
): Figure {
  const measured = pairs.map(({ answers: [a, b] }) => {
    const [first, second] = [amount(a), amount(b)]
    return first === null || second === null ? null : ([first, second] as const)
  })
  const both = measured.filter((pair) => pair !== null)
  if (both.length === 0) return unknown(noFigure.noBothMeasured)
  const correct = [0, 1].map((side) => sum(pairs.map((pair) => pair.correct[side] as number))) as [number, number]
  if (Math.min(...correct) < minCorrect) return unknown(noFigure.fewCorrect(minCorrect))
  const amounts = [0, 1].map((side) => sum(both.map((pair) => pair[side] as number)) / both.length) as [number, number]
  if (!(amounts[0] > 0 && amounts[1] > 0)) return unknown(noFigure.noRatio)
  const n = pairs.length
  const value = Math.log(amounts[1] / amounts[0]) - Math.log(correct[1] / correct[0])
  const parts = pairs.map(({ correct: [a, b] }, i) => {
    const pair = measured[i]
    const spent = pair ? ((pair[1] / amounts[1] - pair[0] / amounts[0]) * n) / both.length : 0
    return spent - (b * n) / correct[1] + (a * n) / correct[0]
  })
  const bySample = pairs.map(({ answers: [a] }) => unitKey(a))
  const blocks = timeErrorMs !== undefined ? turnBlocks(pairs.map(({ answers }) => answers)) : null
  const groupings = [bySample, ...(blocks ? [Array.from(blocks.of, String)] : [])].map((keys) =>
    groupUnits(parts, keys),
  )
  const bounds = groupings.map((units) => interval(0, units, alpha))
  if (bounds.some(({ low }) => low === null)) return unknown(noFigure.fewUnits)
  const low = Math.min(...bounds.map((bound) => bound.low as number))
  const high = Math.max(...bounds.map((bound) => bound.high as number))
  const over = `${groupings[0]?.sums.length} samples${blocks ? methods.widerOfBlocks(blocks.blocks) : ""}`
  const figure: KnownFigure = {
    status: "known",
    value: Math.expm1(value),
    low: Math.expm1(value + low),
    high: Math.expm1(value + high),
    n,
    method: methods.perCorrectRatio(over),
  }
  // The part of the ratio that a time explains, in milliseconds of the candidate's.
  return timeErrorMs === undefined ? figure : withTimingError(figure, -Math.expm1(-value) * amounts[1], timeErrorMs)
}
