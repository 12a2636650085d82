import type { Bounds } from "../intervals/proportion-interval.ts"
import { createConfidenceSequence } from "./confidence-sequence.ts"

/** Steps that halve the range of possible bounds: 2⁻³⁰ of it is left. */
const halvings = 30

/**
 * Interval and p of a mean of bounded observations that were looked at while they came in, for whatever reason the looking
 * ended: the confidence sequence of {@link createConfidenceSequence} at its last observation, with bounds that are not
 * rounded to a grid. Wider than an interval for a fixed number of observations.
 *
 * @param observations in the order in which they were made
 * @param range smallest and largest possible observation, both finite
 * @returns the interval, and p of the mean being 0 (null where 0 is no possible mean inside the range)
 */
export function anytimeInterval(
  observations: ArrayLike<number>,
  { range, alpha = 0.05 }: { readonly range: readonly [number, number]; readonly alpha?: number },
): Bounds & { readonly p: number | null } {
  const [least, most] = range
  const after = (mean: number) => {
    const sequence = createConfidenceSequence({ range, alpha, at: [mean], grid: 1 })
    for (let i = 0; i < observations.length; i++) sequence.add(observations[i] as number)
    return sequence
  }
  /** The end of the means that are left out, beginning from one end of the range. */
  const bound = (from: number, to: number, leftOut: (mean: number) => boolean): number => {
    let out = from
    let kept = to
    for (let step = 0; step < halvings; step++) {
      const middle = (out + kept) / 2
      if (leftOut(middle)) out = middle
      else kept = middle
    }
    return out
  }
  return {
    low: bound(least, most, (mean) => after(mean).above(mean)),
    high: bound(most, least, (mean) => after(mean).below(mean)),
    p: least < 0 && most > 0 ? after(0).p(0) : null,
  }
}
