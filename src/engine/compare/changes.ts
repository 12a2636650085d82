import type { AnswerFacts, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { Change } from "../../core/report/change.ts"
import { studentInterval } from "../../stats/intervals/student-interval.ts"
import { groupUnits, unitStandardError } from "../../stats/resampling/units.ts"
import { changeWords } from "../decide/change-words.ts"
import { unitKey } from "../score/entries.ts"
import { answerPairs } from "./paired-performance.ts"
import { turnBlocks } from "./turns.ts"

/** The smallest saving of cost or time that is worth a swap, as a share, unless the config states another. */
export const usualSmallestGain = 0.05

/** Options of {@link changesOf}. */
export interface ChangeOptions {
  /** Two-sided error rate of each interval. */
  readonly alpha: number
  readonly smallestGain: number
}

const figures = ["costUsd", "e2eMs", "ttftMs"] as const

/**
 * What the candidate saves: cost, end-to-end time and time to the first token as shares of the baseline's, over the samples
 * that both answered in this run. Times are geometric means of the pairs' ratios, with one observation a block of turns
 * (Student t over blocks), so that the machine's drift is no gain; costs are ratios of sums, with one observation a sample
 * or cluster (delta method). A figure that no pair has is left out.
 */
export function changesOf(baseline: ScoredVariant, candidate: ScoredVariant, options: ChangeOptions): Change[] {
  const pairs = answerPairs(baseline, candidate).filter(([a, b]) => counts(a) && counts(b))
  return figures.flatMap((figure) => {
    const known = pairs.filter(([a, b]) => isPositive(a[figure]) && isPositive(b[figure]))
    if (known.length === 0) return []
    const share =
      figure === "costUsd" ? sumShare(figure, known, options.alpha) : timeShare(figure, known, options.alpha)
    return [changeFrom({ figure, ...share }, options.smallestGain)]
  })
}

/** A change from its share and interval: proven when the interval leaves 0 out. */
export function changeFrom(
  facts: Pick<Change, "figure" | "share" | "low" | "high" | "n" | "turns" | "method">,
  smallestGain: number,
): Change {
  const { share, low, high } = facts
  const isProven = low !== null && high !== null && (low > 0 || high < 0)
  const isMaterial = isProven && Math.abs(share) >= smallestGain - 1e-12
  return { ...facts, isProven, isMaterial, text: changeWords(facts) }
}

/** A ratio of two sides as a share of the first, with its interval. */
export interface PairedShare {
  /** second / first − 1. */
  readonly share: number
  readonly low: number | null
  readonly high: number | null
  readonly n: number
  readonly turns: number | null
  readonly method: string
}

type Pairs = readonly (readonly [AnswerFacts, AnswerFacts])[]

/** Geometric mean of the pairs' ratios of a time that both sides have, with one observation a block of turns. */
export function timeShare(figure: "e2eMs" | "ttftMs" | "tpotMs", pairs: Pairs, alpha: number): PairedShare {
  const logs = Float64Array.from(pairs, ([a, b]) => Math.log((b[figure] as number) / (a[figure] as number)))
  const blocks = turnBlocks(pairs)
  const keys = blocks ? Array.from(blocks.of, (block) => `t${block}`) : pairs.map(([a]) => unitKey(a))
  const units = groupUnits(logs, keys)
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const over = blocks
    ? `${blocks.turns} turns${blocks.blocks < blocks.turns ? ` in ${blocks.blocks} blocks` : ""}`
    : `${units.sums.length} ${units.single ? "pairs" : "samples"}`
  const { low, high } = interval(mean, units, alpha)
  return {
    share: Math.expm1(mean),
    low: low === null ? null : Math.expm1(low),
    high: high === null ? null : Math.expm1(high),
    n: pairs.length,
    turns: blocks?.turns ?? null,
    method: `geometric mean of paired ratios, Student t over ${over}`,
  }
}

/** Ratio of the sums of a figure that both sides have (costs, tokens), with one observation a sample or cluster. */
export function sumShare(figure: "costUsd" | "completionTokens", pairs: Pairs, alpha: number): PairedShare {
  const before = pairs.map(([a]) => a[figure] as number)
  const after = pairs.map(([, b]) => b[figure] as number)
  const ratio = sum(after) / sum(before)
  const mean = sum(before) / before.length
  // The ratio's linear part: its mean is 0, and its spread is the ratio's.
  const parts = Float64Array.from(pairs, (_, i) => ((after[i] as number) - ratio * (before[i] as number)) / mean)
  const units = groupUnits(
    parts,
    pairs.map(([a]) => unitKey(a)),
  )
  const { low, high } = interval(0, units, alpha)
  const share = ratio - 1
  return {
    share,
    low: low === null ? null : share + low,
    high: high === null ? null : share + high,
    n: pairs.length,
    turns: null,
    method: `ratio of sums, delta method over ${units.sums.length} ${units.single ? "pairs" : "samples"}`,
  }
}

/** Student t over units; no bounds below three of them, where a chance is easily taken for a change. */
export function interval(value: number, units: ReturnType<typeof groupUnits>, alpha: number) {
  const count = units.sums.length
  if (count < 3) return { low: null, high: null }
  const error = unitStandardError(units)
  if (error <= 1e-12) return { low: value, high: value }
  return studentInterval(value, error, count - 1, alpha)
}

function counts(answer: AnswerFacts): boolean {
  return isAnswered(answer.outcome) && answer.source !== "replayed"
}

function isPositive(value: number | null): boolean {
  return value !== null && value > 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
