import type { Bounds } from "./proportion-interval.ts"

/**
 * Interval of a mean when all n values are the same, where every other method shrinks to a point: Clopper and Pearson's
 * bound on the share of values that could differ, 1 − (alpha / 2)^(1 / n), times how far a value can lie from what was seen.
 *
 * @param range smallest and largest possible value; infinite ends give infinite bounds
 */
export function unchangedInterval(value: number, n: number, range: readonly [number, number], alpha = 0.05): Bounds {
  const share = shareThatCouldDiffer(n, alpha)
  const part = (width: number) => (width === 0 ? 0 : share * width)
  return { low: value - part(value - range[0]), high: value + part(range[1] - value) }
}

/** Upper bound, exact at 1 − alpha / 2, of a rate of which none of n were seen. */
export function shareThatCouldDiffer(n: number, alpha = 0.05): number {
  return 1 - (alpha / 2) ** (1 / n)
}

/**
 * How many equal values bring {@link unchangedInterval}'s one-sided half-width below a margin: ln alpha / ln(1 − margin / width).
 */
export function samplesWithoutChange(width: number, margin: number, alpha = 0.05): number | null {
  const needed = Math.log(alpha) / Math.log1p(-Math.min(1, margin / width))
  return margin > 0 && Number.isFinite(needed) ? Math.max(1, Math.ceil(needed)) : null
}
