import { statisticMethods } from "../../words/reasons/statistics.ts"
import { binomialCdf, normalQuantile, studentQuantile } from "../distributions.ts"
import { sortedNumbers } from "../order.ts"
import { quantileSorted } from "../quantile.ts"
import { groupUnits } from "../resampling/units.ts"
import { autocorrelationTime } from "../sequential/autocorrelation.ts"
import { clusterRobustMean } from "./cluster-robust.ts"

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
  const n = series.length
  if (n === 0) return null
  const sorted = sortedNumbers(Float64Array.from(series))
  const value = quantileSorted(sorted, q)
  const below = Float64Array.from(series, (x) => Number(x <= value))
  // Far from the median the share says little about slow drift; the share below the median says more than its part.
  const middle = quantileSorted(sorted, 0.5)
  const centred = autocorrelationTime(Float64Array.from(series, (x) => Number(x <= middle)))
  const time = Math.sqrt(autocorrelationTime(below) * centred)
  // Few independent stretches know their own spread poorly: Student's t over as many as there are.
  let effective = shrunk(n / time, time > 1 ? Math.max(1, n / time - 1) : Number.POSITIVE_INFINITY, alpha)
  let method = time > 1 ? statisticMethods.seriesQuantile(time) : "order statistics"
  let count: number | null = null
  if (turns) {
    const { sums, sizes } = groupUnits(
      below,
      turns.map((turn) => String(turn)),
    )
    count = sums.length
    const robust = count < minTurns ? null : clusterRobustMean(sums, sizes)
    if (robust) {
      const byTurn = shrunk((q * (1 - q)) / robust.error ** 2, robust.degrees, alpha)
      if (byTurn < effective) {
        effective = byTurn
        method = statisticMethods.blockedQuantile(count)
      }
    }
  }
  effective = Math.min(n, effective)
  const whole = Math.max(1, Math.floor(effective))
  const low = outerShare(whole, q, alpha)
  const high = outerShare(whole, 1 - q, alpha)
  return {
    value,
    low: low === null ? null : (sorted[Math.floor(low * n)] as number),
    high: high === null ? null : (sorted[n - 1 - Math.floor(high * n)] as number),
    effectiveN: effective,
    turns: count,
    method,
  }
}

/** Values that give the same interval with the normal quantile as these do with Student's. */
function shrunk(effective: number, degrees: number, alpha: number): number {
  if (!Number.isFinite(degrees)) return effective
  return effective * (normalQuantile(1 - alpha / 2) / studentQuantile(1 - alpha / 2, degrees)) ** 2
}

/** Share of the sorted values outside the bound: the largest k / n with P(B ≤ k) ≤ alpha / 2; null when there is none. */
function outerShare(n: number, q: number, alpha: number): number | null {
  let k = -1
  while (k + 1 < n && binomialCdf(k + 1, n, q) <= alpha / 2) k++
  return k < 0 ? null : k / n
}
