import type { SummaryLevel } from "../../src/core/metric/metric.ts"
import { normalQuantile } from "../../src/stats/distributions.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
import { minimumDetectableEffect } from "../../src/stats/tests/power.ts"
import { levelText } from "../../src/words/percent.ts"
import type { GroupedScore } from "./group-means.ts"

/** What a group's members have, by group: `scoresByGroup` makes it. A group may be empty (no case of the kind counted). */
export type ScoresByGroup = ReadonlyMap<string, readonly GroupedScore[]>

/** A comparison of groups with its interval. */
export interface GroupComparison {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly best: string
  readonly worst: string
  readonly method: string
}

/** The largest gap between groups. */
export interface GroupGap extends GroupComparison {
  /** The smallest gap between the same two groups that this number of answers would detect with 80 % power. */
  readonly detectable: number
}

interface GroupMean {
  readonly group: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/**
 * The largest difference between the means of two groups, over one or more rates (true and false positives). The interval of
 * each difference combines those of two means by the square-and-add rule (Newcombe 1998, method 10; MOVER); the level allows
 * for all pairs and rates (Bonferroni), and the bounds are the largest over them. A largest difference is never 0 by itself:
 * a lower bound of 0 says that chance explains it. Groups count as independent: where they share clusters (the same question
 * asked about each), the interval is too wide rather than too narrow. An empty group's mean is 0, as in fairlearn, and its interval is
 * the whole range.
 *
 * @returns null with fewer than two groups, or where a group cannot be bounded
 */
export function groupGap(
  rates: readonly ScoresByGroup[],
  range: readonly [number, number],
  { alpha: together = 0.05 }: SummaryLevel = {},
): GroupGap | null {
  const compared = compare(rates, range, together)
  if (!compared) return null
  const { means, alpha, comparisons } = compared
  const width = range[1] - range[0]
  const gaps = means.flatMap((rate) =>
    pairsOf(rate).map(([first, second]) => {
      const [upper, lower] = first.value >= second.value ? [first, second] : [second, first]
      const value = upper.value - lower.value
      const low = value - Math.hypot(upper.value - upper.low, lower.high - lower.value)
      const high = value + Math.hypot(upper.high - upper.value, lower.value - lower.low)
      return { upper, lower, value, low: Math.max(0, low), high: Math.min(width, Math.max(high, -low)) }
    }),
  )
  const largest = gaps.reduce((max, gap) => (gap.value > max.value ? gap : max))
  const { upper, lower, value } = largest
  // The standard error that the two intervals amount to.
  const error = Math.hypot(upper.high - upper.low, lower.high - lower.low) / (2 * normalQuantile(1 - alpha / 2))
  return {
    value,
    low: gaps.reduce((max, gap) => Math.max(max, gap.low), 0),
    high: gaps.reduce((max, gap) => Math.max(max, gap.high), 0),
    best: upper.group,
    worst: lower.group,
    detectable: Math.min(width, minimumDetectableEffect(error, alpha)),
    method: `largest difference of groups, square-and-add ${levelText(together)} interval, ${allowance(comparisons)}`,
  }
}

/**
 * The smallest ratio between the means (0 or more) of two groups, over one or more rates, 0..1. The interval of each ratio
 * combines those of two means (Donner & Zou 2012, MOVER-R) at a level that allows for all pairs and rates.
 *
 * @returns null with fewer than two groups, where a group cannot be bounded, or where all means are 0
 */
export function groupRatio(
  rates: readonly ScoresByGroup[],
  range: readonly [number, number],
  { alpha = 0.05 }: SummaryLevel = {},
): GroupComparison | null {
  const compared = compare(rates, range, alpha)
  if (!compared) return null
  const { means, comparisons } = compared
  const ratios = means.flatMap((rate) =>
    pairsOf(rate).flatMap(([first, second]) => {
      const [upper, lower] = first.value >= second.value ? [first, second] : [second, first]
      if (upper.value === 0) return []
      const [straight, turned] = [ratioBounds(lower, upper), ratioBounds(upper, lower)]
      // The smaller of the ratio and its inverse, whichever group truly has the larger mean.
      const low = Math.min(straight.low, turned.low, 1)
      return [{ upper, lower, value: lower.value / upper.value, low, high: Math.min(1, straight.high) }]
    }),
  )
  if (ratios.length === 0) return null
  const smallest = ratios.reduce((least, ratio) => (ratio.value < least.value ? ratio : least))
  return {
    value: smallest.value,
    low: ratios.reduce((min, ratio) => Math.min(min, ratio.low), 1),
    high: ratios.reduce((min, ratio) => Math.min(min, ratio.high), 1),
    best: smallest.upper.group,
    worst: smallest.lower.group,
    method: `smallest ratio of groups, MOVER-R ${levelText(alpha)} interval, ${allowance(comparisons)}`,
  }
}

/** The smallest mean of a group; the level allows for the choice among the groups (Bonferroni). */
export function worstGroup(
  scores: ScoresByGroup,
  range: readonly [number, number],
  { alpha = 0.05 }: SummaryLevel = {},
): GroupComparison | null {
  const means = meansOf(scores, range, alpha / Math.max(1, scores.size))
  if (!means) return null
  const ordered = means.toSorted((a, b) => a.value - b.value)
  const [worst, best] = [ordered[0], ordered.at(-1)]
  if (!worst || !best) return null
  return {
    value: worst.value,
    low: Math.min(...means.map(({ low }) => low)),
    high: Math.min(...means.map(({ high }) => high)),
    best: best.group,
    worst: worst.group,
    method: `smallest mean of groups, ${levelText(alpha)} interval, Bonferroni over ${means.length} groups`,
  }
}

function compare(rates: readonly ScoresByGroup[], range: readonly [number, number], together: number) {
  const comparisons = rates.reduce((sum, { size }) => sum + (size * (size - 1)) / 2, 0)
  if (comparisons === 0) return null
  const alpha = together / comparisons
  const means = rates.map((scores) => meansOf(scores, range, alpha))
  return means.every((rate) => rate !== null) ? { means, alpha, comparisons } : null
}

function meansOf(scores: ScoresByGroup, range: readonly [number, number], alpha: number): readonly GroupMean[] | null {
  const means = [...scores].map(([group, members]): GroupMean | null => {
    if (members.length === 0) return { group, value: 0, low: range[0], high: range[1] }
    const values = members.map(({ score }) => score)
    const keys = members.map(({ unit }) => unit)
    const { value, low, high } = meanInterval(values, keys, range, alpha)
    return low === null || high === null
      ? null
      : { group, value, low: Math.max(range[0], low), high: Math.min(range[1], high) }
  })
  return means.every((mean) => mean !== null) ? means : null
}

function pairsOf(means: readonly GroupMean[]): readonly (readonly [GroupMean, GroupMean])[] {
  return means.flatMap((mean, i) => means.slice(i + 1).map((other) => [mean, other] as const))
}

/** Bounds of mean / other, for values of 0 and above. Written so that no denominator is 0 except in the limit. */
function ratioBounds(mean: GroupMean, other: GroupMean): { readonly low: number; readonly high: number } {
  const product = mean.value * other.value
  const bound = (a: number, b: number) => {
    const [above, below] = [a * (2 * mean.value - a), b * (2 * other.value - b)]
    return { above, below, root: Math.sqrt(Math.max(0, product ** 2 - above * below)) }
  }
  const lower = bound(mean.low, other.high)
  const upper = bound(mean.high, other.low)
  const low = product + lower.root === 0 ? 0 : lower.above / (product + lower.root)
  const high = upper.below <= 0 ? Number.POSITIVE_INFINITY : (product + upper.root) / upper.below
  return { low: Math.max(0, low), high }
}

function allowance(comparisons: number): string {
  return `Bonferroni over ${comparisons} comparison${comparisons === 1 ? "" : "s"}`
}
