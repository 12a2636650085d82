import { type Figure, unknown } from "../core/report/figure.ts"
import { binomialCdf } from "../stats/distributions.ts"
import { levelText } from "../words/percent.ts"
import { speedReasons } from "../words/perf/speed.ts"

/**
 * Percentile by linear interpolation between order statistics: rule R-7 of Hyndman & Fan (1996), numpy's default.
 *
 * @param sorted ascending, at least one value
 * @param share 0..1, such as 0.99
 * @example quantileOfSorted([1, 2, 3, 4], 0.9) // 3.7
 * @experimental
 */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share
  const below = Math.floor(position)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (high - low) * (position - below)
}

/** Ranks (1-based) of the order statistics that bound a quantile; null where so few values cannot bound it. */
export interface RankInterval {
  readonly low: number | null
  readonly high: number | null
}

/**
 * Distribution-free two-sided interval of a quantile from order statistics (David & Nagaraja, "Order Statistics", 7.1):
 * the number of values at or below the quantile is binomial(n, share).
 *
 * @example orderStatisticRanks(100, 0.5) // { low: 40, high: 61 }: covers with 96.5 %
 */
export function orderStatisticRanks(n: number, share: number, confidence = 0.95): RankInterval {
  const tail = (1 - confidence) / 2
  const atMost = (count: number) => binomialCdf(count, n, share)
  const low = lastTrue(0, n, (rank) => rank === 0 || atMost(rank - 1) <= tail)
  const high = lastTrue(0, n, (rank) => rank === 0 || 1 - atMost(rank - 1) > tail) + 1
  return { low: low >= 1 ? low : null, high: high <= n ? high : null }
}

/**
 * How many requests a percentile needs before its sample can bound it: the smallest n whose largest value lies above
 * the percentile with 99 % confidence, share^n ≤ 0.01.
 *
 * @example smallestSampleFor(0.99) // 459; p95: 90, p90: 44, p50: 7
 */
export function smallestSampleFor(share: number): number {
  return Math.ceil(Math.log(0.01) / Math.log(share))
}

/**
 * A percentile as a figure: R-7 with an order-statistic interval, and a warning when n is too small for it.
 *
 * @param sorted ascending values
 * @param percent 50, 90, 95, 99 …
 * @param note appended to the method
 * @param alpha 1 − the level of the interval
 * @experimental
 */
export function percentileFigure(sorted: ArrayLike<number>, percent: number, note = "", alpha = 0.05): Figure {
  const n = sorted.length
  if (n === 0) return unknown(speedReasons.nothingMeasured)
  const share = percent / 100
  const ranks = orderStatisticRanks(n, share, 1 - alpha)
  const needed = smallestSampleFor(share)
  return {
    status: "known",
    value: quantileOfSorted(sorted, share),
    low: ranks.low === null ? null : (sorted[ranks.low - 1] as number),
    high: ranks.high === null ? null : (sorted[ranks.high - 1] as number),
    n,
    method: `p${percent} R-7, order-statistic ${levelText(alpha)}${note}`,
    ...(n < needed ? { warning: `n too small: p${percent} needs ${needed}` } : {}),
  }
}

/** Largest integer in [from, to] for which a condition holds that is true up to a point and false after it. */
function lastTrue(from: number, to: number, holds: (value: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}
