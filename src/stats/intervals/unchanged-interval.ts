import { normalQuantile } from "../distributions.ts"
import type { Bounds } from "./proportion-interval.ts"

/**
 * Interval of a mean when all n values are the same, where every other method shrinks to a point: Wilson's bound on the
 * share of values that could differ, z² / (n + z²), times how far a value can lie from what was seen.
 *
 * @param range smallest and largest possible value; infinite ends give infinite bounds
 * @public
 */
export function unchangedInterval(value: number, n: number, range: readonly [number, number], alpha = 0.05): Bounds {
  const share = shareThatCouldDiffer(n, alpha)
  const part = (width: number) => (width === 0 ? 0 : share * width)
  return { low: value - part(value - range[0]), high: value + part(range[1] - value) }
}

/** Upper Wilson bound of a rate of which none of n were seen: z² / (n + z²). @public */
export function shareThatCouldDiffer(n: number, alpha = 0.05): number {
  const z = normalQuantile(1 - alpha / 2)
  return (z * z) / (n + z * z)
}

/**
 * How many equal values bring {@link unchangedInterval}'s one-sided half-width below a margin: z²_{1−α} (width / margin − 1).
 * @public
 */
export function samplesWithoutChange(width: number, margin: number, alpha = 0.05): number | null {
  const z = normalQuantile(1 - alpha)
  const needed = z * z * (width / margin - 1)
  return margin > 0 && Number.isFinite(needed) ? Math.max(1, Math.ceil(needed)) : null
}
