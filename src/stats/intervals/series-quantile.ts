import { statisticMethods } from "../../words/reasons/statistics.ts"
import { normalQuantile, studentQuantile } from "../distributions.ts"
import { sortedNumbers } from "../order.ts"
import { quantileSorted } from "../quantile.ts"
import { numberUnits, type UnitNumbers, unitSums } from "../resampling/units.ts"
import { autocorrelationTime } from "../sequential/autocorrelation.ts"
import { clusterRobustMean } from "./cluster-robust.ts"
import { quantileInterval } from "./quantile-interval.ts"

/** A percentile of values that were measured one after the other on a machine that drifts. @public */
export interface SeriesQuantile {
  readonly value: number
  /** Null when the values cannot bound it from below (above). */
  readonly low: number | null
  readonly high: number | null
  /** Independent values that the series is worth. */
  readonly effectiveN: number
  readonly turns: number | null
  readonly method: string
}

/** Options of {@link seriesQuantileInterval}. @public */
export interface SeriesQuantileOptions {
  readonly alpha?: number
  /** Turn in which each value was measured, where there were turns. */
  readonly turns?: readonly (string | number)[] | undefined
}

/** Fewer turns than this say too little about their own spread. */
const minTurns = 5

/**
 * Interval of a percentile of a series, from order statistics of as many independent values as the series is worth: n over
 * the autocorrelation time of "below the percentile or not" or, with five turns and more, what the spread of that share over
 * turns (CR2) is worth, whichever is less; small numbers of turns widen it by Student's t. Korn & Graubard 1998, applied to a
 * percentile as Woodruff 1952 does. Independent values keep the usual binomial interval.
 *
 * @param series values in the order of time
 * @param q between 0 and 1, both excluded
 * @returns null for no values
 * @public
 */
export function seriesQuantileInterval(
  series: ArrayLike<number>,
  q: number,
  { alpha = 0.05, turns }: SeriesQuantileOptions = {},
): SeriesQuantile | null {
  const sorted = sortedNumbers(Float64Array.from(series))
  const units = turns && numberUnits(turns.map((turn) => String(turn)))
  const { worth, method } = independentCount({ values: series, units }, sorted, q, alpha)
  const interval = quantileInterval(sorted, q, alpha, worth)
  if (!interval) return null
  const { value, low, high } = interval
  return { value, low, high, effectiveN: worth, turns: units?.count ?? null, method }
}

/** Values that depend on each other, and by what. @experimental */
export interface DependentValues {
  /** In the order of time, unless `isUnordered`. */
  readonly values: ArrayLike<number>
  /** Turns, samples or answers that share what they hold: independent of each other. */
  readonly units?: UnitNumbers | undefined
  /** Only values of one unit are taken to depend on each other. */
  readonly isUnordered?: boolean
}

/** How many independent values a percentile of these is worth, and the method's name; as many as there are where nothing joins them. */
export function independentCount(
  { values, units, isUnordered = false }: DependentValues,
  sorted: ArrayLike<number>,
  q: number,
  alpha = 0.05,
): { readonly worth: number; readonly method: string } {
  const n = values.length
  const sharesUpTo = (at: number) => {
    const shares = new Float64Array(n)
    for (let i = 0; i < n; i++) shares[i] = (values[i] as number) <= at ? 1 : 0
    return shares
  }
  const below = sharesUpTo(quantileSorted(sorted, q))
  // Far from the median the share says little about slow drift; the share below the median says more than its part.
  const middle = isUnordered ? 1 : autocorrelationTime(sharesUpTo(quantileSorted(sorted, 0.5)))
  const time = isUnordered ? 1 : Math.sqrt(autocorrelationTime(below) * middle)
  // Few independent stretches know their own spread poorly: Student's t over as many as there are.
  let worth = shrunk(n / time, time > 1 ? Math.max(1, n / time - 1) : Number.POSITIVE_INFINITY, alpha)
  let method = time > 1 ? statisticMethods.seriesQuantile(time) : "order statistics"
  if (units && units.count >= minTurns) {
    const { sums, sizes } = unitSums(below, units)
    const robust = clusterRobustMean(sums, sizes)
    const byUnit = robust && robust.error > 0 ? shrunk((q * (1 - q)) / robust.error ** 2, robust.degrees, alpha) : n
    if (byUnit < worth) {
      worth = byUnit
      method = statisticMethods.blockedQuantile(units.count)
    }
  }
  return { worth: Math.min(n, worth), method }
}

/** Values that give the same interval with the normal quantile as these do with Student's. */
function shrunk(effective: number, degrees: number, alpha: number): number {
  if (!Number.isFinite(degrees)) return effective
  return effective * (normalQuantile(1 - alpha / 2) / studentQuantile(1 - alpha / 2, degrees)) ** 2
}
