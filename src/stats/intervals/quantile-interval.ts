import { binomialCdf } from "../distributions.ts"
import { quantileSorted } from "../quantile.ts"

/** A percentile with its interval from order statistics. @public */
export interface QuantileInterval {
  readonly value: number
  /** Null when so few values cannot bound it from below (above). */
  readonly low: number | null
  readonly high: number | null
  /** Smallest n that bounds this percentile on both sides at this level. */
  readonly neededN: number
}

/**
 * Distribution-free interval of a percentile: the order statistics between which it lies with probability at least
 * 1 − alpha, since the number of values below the true percentile is binomial(n, q). Each side spends alpha / 2.
 *
 * @param sorted values in ascending order
 * @param q between 0 and 1, both excluded
 * @param worth independent values that these are worth, where they depend on each other; at most their number
 * @public
 */
export function quantileInterval(
  sorted: ArrayLike<number>,
  q: number,
  alpha = 0.05,
  worth = sorted.length,
): QuantileInterval | null {
  const n = sorted.length
  if (n === 0) return null
  const count = Math.max(1, Math.floor(worth))
  // Low: the largest rank r (1-based) with P(B ≤ r − 1) ≤ alpha/2; high: the smallest with P(B ≥ r) ≤ alpha/2.
  const outside = (share: number) => {
    const successes = largest(count, (k) => binomialCdf(k, count, share) <= alpha / 2)
    return successes < 0 ? successes : Math.floor((successes * n) / count)
  }
  const below = outside(q)
  const above = outside(1 - q)
  return {
    value: quantileSorted(sorted, q),
    low: below < 0 ? null : (sorted[below] as number),
    high: above < 0 ? null : (sorted[n - 1 - above] as number),
    neededN: samplesThatBound(q, alpha),
  }
}

/**
 * Smallest number of values whose extremes bound a percentile on both sides: max(q, 1 − q)^n ≤ alpha / 2.
 *
 * @example samplesThatBound(0.99) // 368
 */
export function samplesThatBound(q: number, alpha = 0.05): number {
  return Math.ceil(Math.log(alpha / 2) / Math.log(Math.max(q, 1 - q)))
}

/** The largest k in −1..n−1 for which a monotone condition (true, then false) holds. */
function largest(n: number, holds: (k: number) => boolean): number {
  let low = -1
  let high = n - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}
