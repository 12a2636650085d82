import { statisticMethods } from "../../words/reasons/statistics.ts"
import { numberUnits, type UnitNumbers, type Units, unitSums } from "../resampling/units.ts"
import { roundedDifferences } from "../rounded.ts"
import { type MeanBound, meanBound, meanFacts, meanLiesAbove } from "./mean-bound.ts"
import { exactPairedLowerBound, pairedRateLiesAbove, tangoInterval } from "./tango-interval.ts"

/**
 * Fewer pairs of right and wrong answers than this get the exact bound: a score says little there.
 */
export const tangoFrom = 20

/** Options of {@link pairedBound}. @public */
export interface PairedBoundOptions {
  /** Smallest and largest possible value of either side; an infinite end means that nothing bounds a difference. */
  readonly range: readonly [number, number]
  /** Cluster of each pair, or its sample where samples repeat; each pair its own when absent. */
  readonly clusters?: readonly string[] | UnitNumbers | undefined
  readonly alpha?: number
  /** Which of `low` and `high` are given: both of an interval at 1 − alpha, or one at 1 − alpha on its own. */
  readonly side?: "two" | "lower" | "upper"
  /** As if there were this many times as many pairs like these, for planning; 1 by default, need not be whole. */
  readonly times?: number
}

/**
 * A mean difference with the bounds that hold at its n; `low` and `high` are null on the side that was not asked for.
 * @public
 */
export type PairedBound = MeanBound

/**
 * Bounds of the mean of paired differences (second − first) by the method that holds at their number and kind:
 *
 * - right/wrong pairs, each its own unit, from 20 on: Tango's score interval, one-sided bounds by its exact error;
 * - every other bounded metric: `dirichletLowerBound`, which holds for every distribution on the range, sparse, skewed
 *   or with rare large losses that were not seen yet. The two-sided interval is Student's t (over clusters: CR2 with
 *   Satterthwaite's degrees), moved outwards for skewness, which holds the truth in 95 % of runs and assumes nothing of losses
 *   that were not seen; under 50 pairs, and where the pairs hardly vary, it is the wider of t and the bounds;
 * - unbounded metrics: the wider of Student's t (CR2 over clusters) and its correction for skewness; nothing is decided under
 *   10 units, 5 effective clusters, or 25 times the squared skewness.
 *
 * Mirrored differences give mirrored bounds. Nothing is drawn at random.
 * @public
 */
export function pairedBound(differences: ArrayLike<number>, options: PairedBoundOptions): PairedBound {
  const { range, clusters, alpha = 0.05, side = "two", times = 1 } = options
  const values = roundedDifferences(differences)
  const n = values.length
  const units = clusters
    ? unitSums(values, "of" in clusters ? clusters : numberUnits(clusters))
    : { sums: values, sizes: new Float64Array(n).fill(1), single: true }
  // The same difference everywhere is its own mean, without what adding up loses.
  const unchanged = n > 0 && values.every((d) => d === values[0]) && { value: values[0] as number }
  const bound = { ...boundOfUnits(units, { width: range[1] - range[0], alpha, times }), ...unchanged }
  if (side === "two") return bound
  return { ...bound, low: side === "lower" ? bound.lowBound : null, high: side === "upper" ? bound.highBound : null }
}

/** {@link pairedBound} of differences that are grouped already. */
export function boundOfUnits(
  units: Pick<Units, "sums" | "sizes" | "single">,
  { width, alpha, times = 1 }: { readonly width: number; readonly alpha: number; readonly times?: number },
): PairedBound {
  const { sums, single } = units
  if (binary(sums, width, single, times))
    return { ...meanFacts(units, times).facts, ...tango(sums, width, alpha, times) }
  const bound = meanBound(units, { range: [-width, width], alpha, noun: "pairs", times })
  return { ...bound, method: `paired mean, ${bound.method}` }
}

/**
 * Whether the lower bound of {@link pairedBound} lies above `at` for these units of differences, and may decide: the same rule at a
 * tenth of its cost, for simulations of its power.
 */
export function pairedMeanLiesAbove(
  units: Pick<Units, "sums" | "sizes" | "single">,
  at: number,
  { width, alpha }: { readonly width: number; readonly alpha: number },
): boolean {
  const { sums, single } = units
  if (binary(sums, width, single, 1)) {
    const { lost, won } = changes(sums)
    return pairedRateLiesAbove(lost, won, sums.length, at / width, alpha)
  }
  return meanLiesAbove(units, at, { range: [-width, width], alpha })
}

function binary(values: Float64Array, width: number, single: boolean, times: number): boolean {
  return (
    single && values.length * times >= tangoFrom && width > 0 && values.every((d) => d === 0 || Math.abs(d) === width)
  )
}

function changes(values: Float64Array) {
  return {
    lost: values.reduce((sum, d) => sum + Number(d < 0), 0),
    won: values.reduce((sum, d) => sum + Number(d > 0), 0),
  }
}

function tango(values: Float64Array, width: number, alpha: number, times: number) {
  const seen = changes(values)
  const [lost, won, n] = [seen.lost, seen.won, values.length].map((count) => Math.round(times * count)) as [
    number,
    number,
    number,
  ]
  const two = tangoInterval(lost, won, n, alpha)
  const bounds = { low: exactPairedLowerBound(lost, won, n, alpha), high: -exactPairedLowerBound(won, lost, n, alpha) }
  return {
    low: two.low * width,
    high: two.high * width,
    lowBound: bounds.low * width,
    highBound: bounds.high * width,
    method: statisticMethods.tango,
  }
}
