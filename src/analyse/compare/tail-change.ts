import type { Change, TailChange } from "../../core/report/change.ts"
import { seriesQuantileInterval } from "../../stats/intervals/series-quantile.ts"

const percentile = 0.99

/** Below this many pairs a p99 is the slowest answer. */
const minPairs = 100

/** What decides whether the slowest answers part from the others. */
export interface TailOptions {
  /** Two-sided error rate of each percentile's interval. */
  readonly alpha: number
  readonly smallestGain: number
  /** Whether a difference of so many milliseconds is more than the client's own error. */
  isMeasurable(differenceMs: number): boolean
}

/**
 * The 99th percentile of each side's times where it changes by at least the smallest gain, and not as the times as a whole do: it goes the
 * other way, or they hardly change. Proven where the two percentiles' intervals do not meet. Undefined where neither is so, below a hundred
 * pairs, or where neither change is proven.
 *
 * @param before times of the pairs in milliseconds, in the order of the samples
 */
export function tailChange(
  { share, isMaterial }: Pick<Change, "share" | "isMaterial">,
  { before, after }: { readonly before: Float64Array; readonly after: Float64Array },
  { alpha, smallestGain, isMeasurable }: TailOptions,
): TailChange | undefined {
  if (before.length < minPairs) return undefined
  const [a, b] = [before, after].map((values) => seriesQuantileInterval(values, percentile, { alpha }))
  if (!a || !b || a.value <= 0) return undefined
  const tail = b.value / a.value - 1
  const isAlike = Math.sign(tail) === Math.sign(share) && Math.abs(share) >= smallestGain
  if (Math.abs(tail) < smallestGain || isAlike) return undefined
  const isSeparate = isBelow(a.high, b.low) || isBelow(b.high, a.low)
  const isProven = isSeparate && isMeasurable(b.value - a.value)
  return isProven || isMaterial ? { share: tail, isProven } : undefined
}

function isBelow(high: number | null, low: number | null): boolean {
  return high !== null && low !== null && high < low
}
