import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Change } from "../../core/report/change.ts"
import { timingErrorOf } from "../../estimate/client-error.ts"
import { hasText } from "../../estimate/identity.ts"
import {
  type AnswerPair,
  answerPairsBehind,
  type FigurePairs,
  figurePairs,
  measuredPairs,
  pairUnits,
} from "../../rows/answer-pairs.ts"
import { studentTwoSided } from "../../stats/distributions.ts"
import { meanBound } from "../../stats/intervals/mean-bound.ts"
import { studentInterval } from "../../stats/intervals/student-interval.ts"
import { numberUnits, type Units, unitStandardError, unitSums } from "../../stats/resampling/units.ts"
import { sum } from "../../stats/sum.ts"
import { methods } from "../../wording/methods.ts"
import { changeWords } from "../../wording/verdict/change.ts"
import { timingErrorWords } from "../../wording/verdict/timing-error.ts"
import { counted } from "../../words/number.ts"
import { tailChange } from "./tail-change.ts"
import { type TurnBlocks, turnBlocks } from "./turns.ts"

/** The smallest saving of cost or time that is worth a swap, as a share, unless the config states another. */
export const defaultSmallestGain = 0.05

/** Options of {@link changesOf}. */
export interface ChangeOptions {
  /** Two-sided error rate of each interval. */
  readonly alpha: number
  readonly smallestGain: number
  /**
   * A difference of a time that evalkit's own error could make, in milliseconds, is no change. Null: it was not measured, and no
   * difference of times that evalkit took is one. Default null.
   */
  readonly timeErrorMs?: number | null
}

const figures = ["costUsd", "e2eMs", "ttftMs"] as const

/**
 * What the candidate saves: cost, end-to-end time and time to the first token as shares of the baseline's, over the samples
 * that both answered in this run. Times are geometric means of the pairs' ratios, with one observation a block of turns
 * (Student t over blocks), so that the machine's drift is no gain; costs are ratios of sums, with one observation a sample
 * or cluster (delta method). A figure that no pair has is left out.
 */
export function changesOf(baseline: ScoredVariant, candidate: ScoredVariant, options: ChangeOptions): Change[] {
  const pairs = measuredPairs(baseline, candidate)
  return figures.flatMap((figure) => {
    const measured = figurePairs(pairs, figure, 0)
    if (measured.pairs.length === 0) return []
    const { p: _, ...share } =
      figure === "costUsd"
        ? sumShare(measured, options.alpha, dearestAnswers(baseline, candidate, measured))
        : timeShare(measured, options.alpha)
    const change = changeFrom({ figure, ...share }, options.smallestGain)
    return [
      figure === "costUsd"
        ? change
        : withTail(withinError(change, measured, options.timeErrorMs ?? null), measured, options),
    ]
  })
}

/** A change from its share and interval: proven when the interval leaves 0 out. */
export function changeFrom(
  facts: Pick<Change, "figure" | "share" | "low" | "high" | "n" | "isPaired" | "turns" | "method">,
  smallestGain: number,
): Change {
  const { share, low, high } = facts
  const isProven = low !== null && high !== null && (low > 0 || high < 0)
  const isMaterial = isProven && Math.abs(share) >= smallestGain - 1e-12
  return { ...facts, isProven, isMaterial, text: changeWords(facts) }
}

/** A proven change of a time that the client's own error could make proves nothing of the two sides. */
function withinError(change: Change, measured: FigurePairs, timeErrorMs: number | null): Change {
  const errorMs = pairsErrorMs(measured.pairs, timeErrorMs)
  const differenceMs = change.share * meanOf(measured.before)
  const timingError = change.isProven ? timingErrorOf(differenceMs, errorMs) : null
  if (timingError === null) return change
  const method = `${change.method}; ${timingErrorWords(timingError, differenceMs)}`
  return { ...change, isProven: false, isMaterial: false, timingError, method }
}

/** A change of a time, with what its slowest answers do where that is something else. */
function withTail(
  change: Change,
  measured: FigurePairs,
  { alpha, smallestGain, timeErrorMs = null }: ChangeOptions,
): Change {
  const errorMs = pairsErrorMs(measured.pairs, timeErrorMs)
  const isMeasurable = (differenceMs: number) => timingErrorOf(differenceMs, errorMs) === null
  const tail = tailChange(change, measured, { alpha, smallestGain, isMeasurable })
  return tail ? { ...change, tail, text: changeWords({ ...change, tail }) } : change
}

/** The error of evalkit's that these pairs' times have: none where all were read from records; null where it was not measured. */
export function pairsErrorMs(pairs: readonly AnswerPair[], timeErrorMs: number | null): number | null {
  const { baseline, candidate, a, b } = answerPairsBehind(pairs)
  const isOwn = (facts: typeof baseline, positions: Int32Array) =>
    positions.some((index) => facts.source(index) === "measured")
  return isOwn(baseline, a) || isOwn(candidate, b) ? timeErrorMs : 0
}

/** A ratio of two sides as a share of the first, with its interval. */
export interface PairedShare {
  /** second / first − 1. */
  readonly share: number
  readonly low: number | null
  readonly high: number | null
  /** Two-sided, by the same Student t as the interval; null where there is none, or nothing varies. */
  readonly p: number | null
  readonly n: number
  readonly turns: number | null
  readonly method: string
}

/**
 * Geometric mean of the pairs' ratios of a time that both sides have, with one observation a block of turns.
 *
 * @param blocks of these pairs, where they are a part of others whose turns are known
 */
export function timeShare(
  { pairs, before, after }: FigurePairs,
  alpha: number,
  blocks: TurnBlocks | null = turnBlocks(pairs),
): PairedShare {
  const logs = after.map((value, i) => Math.log(value / (before[i] as number)))
  const units = unitSums(logs, blocks ? numberUnits(blocks.of) : pairUnits(pairs))
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const over = blocks
    ? `${counted(blocks.turns, "turn")}${blocks.blocks < blocks.turns ? ` in ${counted(blocks.blocks, "block")}` : ""}`
    : counted(units.sums.length, units.single ? "pair" : "sample")
  const { low, high } = interval(mean, units, alpha)
  return {
    share: Math.expm1(mean),
    low: low === null ? null : Math.expm1(low),
    high: high === null ? null : Math.expm1(high),
    p: studentP(mean, units),
    n: pairs.length,
    turns: blocks?.turns ?? null,
    method: methods.pairedRatios(over),
  }
}

/**
 * Ratio of the sums of a figure that both sides have (costs, tokens), with one observation a sample or cluster: Student's t, widened for
 * skewness; no interval where the units are too few for values as skewed as these, as where a few large costs are most of the sum. Where
 * the most that a value of a side can be is known, the end that a rare large one of it would move is bounded for every distribution, also
 * where all ratios are the same; but of the same texts in as many tokens the ratio is that of the prices, which is exact.
 *
 * @param most largest possible value of either side; infinite where it is not known
 */
export function sumShare({ pairs, before, after }: FigurePairs, alpha: number, most = unbounded): PairedShare {
  const ratio = sum(after) / sum(before)
  const mean = meanOf(before)
  // The ratio's linear part: its mean is 0, and its spread is the ratio's.
  const parts = after.map((value, i) => (value - ratio * (before[i] as number)) / mean)
  const units = unitSums(parts, pairUnits(pairs))
  const share = ratio - 1
  const unit = units.single ? "pair" : "sample"
  const method = methods.ratioOfSums(counted(units.sums.length, unit))
  const facts = { share, n: pairs.length, turns: null }
  const { low, high } = interval(share, units, alpha)
  const isOneRatio = low === high
  const isLimited = Number.isFinite(most.before) || Number.isFinite(most.after)
  if (low === null || high === null || (isOneRatio && !isLimited)) return { ...facts, low, high, p: null, method }
  if (isOneRatio && areSameAnswers(pairs))
    return { ...facts, low, high, p: null, method: `${method}; ${methods.sameAnswers}` }
  // What equal parts still differ by is rounding, and an end without a limit is what was seen.
  if (isOneRatio) units.sums.fill(0)
  const end = (value: number) => (isOneRatio && !Number.isFinite(value) ? 0 : value)
  const range = [end((-ratio * most.before) / mean), end(most.after / mean)] as const
  const bound = meanBound(units, { range, alpha: alpha / 2, noun: "pairs" })
  if (bound.abstain !== undefined)
    return { ...facts, low: null, high: null, p: null, method: `${method}; ${bound.abstain}` }
  return {
    ...facts,
    low: share + (bound.lowBound as number),
    high: share + (bound.highBound as number),
    p: studentP(share, units),
    method: isLimited ? `${method}; ${methods.longestAnswer}` : method,
  }
}

/** Whether both sides wrote the same texts with as many tokens, so that their costs differ by the price alone. */
function areSameAnswers(pairs: readonly AnswerPair[]): boolean {
  const { baseline, candidate, a, b } = answerPairsBehind(pairs)
  const [before, after] = [baseline.figure("completionTokens"), candidate.figure("completionTokens")]
  if (!before || !after) return false
  return a.every((first, i) => {
    const second = b[i] as number
    const isSame = hasText(baseline.hashes, first) && baseline.hashes.isSame(first, candidate.hashes, second)
    return isSame && before[first] === after[second]
  })
}

const unbounded = { before: Number.POSITIVE_INFINITY, after: Number.POSITIVE_INFINITY }

/** What the dearest answer of either side would cost, had it been as long as a request allows. */
export function dearestAnswers(
  baseline: ScoredVariant,
  candidate: ScoredVariant,
  { pairs, before, after }: FigurePairs,
) {
  const { a, b, ...facts } = answerPairsBehind(pairs)
  const dearest = (
    { longestAnswer }: ScoredVariant,
    costs: Float64Array,
    tokens: Float64Array | null,
    positions: Int32Array,
  ) =>
    longestAnswer
      ? costs.reduce((max, cost, i) => {
          const written = tokens?.[positions[i] as number] || 0
          const left = Math.max(0, 1 - written / longestAnswer.tokens)
          return Math.max(max, cost + left * longestAnswer.usd)
        }, 0)
      : Number.POSITIVE_INFINITY
  return {
    before: dearest(baseline, before, facts.baseline.figure("completionTokens"), a),
    after: dearest(candidate, after, facts.candidate.figure("completionTokens"), b),
  }
}

/** Student t over units; no bounds below three of them, where a chance is easily taken for a change. */
export function interval(value: number, units: Pick<Units, "sums" | "sizes">, alpha: number) {
  const count = units.sums.length
  if (count < 3) return { low: null, high: null }
  const error = unitStandardError(units)
  if (error <= 1e-12) return { low: value, high: value }
  return studentInterval(value, error, count - 1, alpha)
}

/** Two-sided p of a value that is 0 under the null, over the same units as its interval. */
function studentP(value: number, units: Pick<Units, "sums" | "sizes">): number | null {
  const count = units.sums.length
  const error = count < 3 ? 0 : unitStandardError(units)
  return error <= 1e-12 ? null : studentTwoSided(value / error, count - 1)
}

/** The mean of one side's values. */
export function meanOf(values: Float64Array): number {
  return sum(values) / values.length
}
