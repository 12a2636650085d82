import { createRandom } from "../../core/random.ts"
import type { Bounds } from "../intervals/proportion-interval.ts"
import { percentileInterval } from "../resampling/bootstrap-interval.ts"
import { gammaVariate } from "../resampling/gamma-variate.ts"

/** Two raters with two answers: both the first, first and second, second and first, both the second. */
export type TwoRaterCounts = readonly [number, number, number, number]

/** Marks of the rarer answer, both raters together, from which on the interval holds: below, there is none. */
export const minRareMarks = 5

/** Cohen's kappa of a table of two raters and two answers; NaN where only one answer occurs. */
export function kappaOfCounts([both, first, second, neither]: TwoRaterCounts): number {
  const n = both + first + second + neither
  const expected = ((both + first) * (both + second) + (second + neither) * (first + neither)) / (n * n)
  return expected >= 1 ? Number.NaN : ((both + neither) / n - expected) / (1 - expected)
}

/** Krippendorff's nominal alpha of the same table without its correction for few items, which a posterior does not need. */
export function alphaOfCounts([both, first, second, neither]: TwoRaterCounts): number {
  const n = both + first + second + neither
  const share = (2 * both + first + second) / (2 * n)
  return share <= 0 || share >= 1 ? Number.NaN : 1 - (first + second) / n / (2 * share * (1 - share))
}

/**
 * Interval of an agreement coefficient of two raters who give one of two answers: quantiles of its posterior with Jeffreys'
 * prior (a Dirichlet distribution with ½ in each cell). A bootstrap never draws the disagreement that was not seen yet, and
 * covers 30 to 80 % where one answer makes up 90 % of 20 items. Under {@link minRareMarks} marks of the rarer answer
 * nothing holds, and there is no interval.
 *
 * @param draws 4,000 by default
 * @returns null with too few marks of the rarer answer
 */
export function twoRaterInterval(
  counts: TwoRaterCounts,
  coefficient: (counts: TwoRaterCounts) => number,
  options: { readonly seed: number | string; readonly alpha?: number; readonly draws?: number },
): Bounds | null {
  const { seed, alpha = 0.05, draws = 4000 } = options
  const [both, first, second, neither] = counts
  if (Math.min(2 * both, 2 * neither) + first + second < minRareMarks) return null
  const random = createRandom(`${seed}/two-rater`)
  const drawn = Float64Array.from({ length: draws }, () => {
    const cell = (count: number) => gammaVariate(count + 0.5, random)
    return coefficient([cell(both), cell(first), cell(second), cell(neither)])
  })
  return percentileInterval(drawn.filter(Number.isFinite), alpha)
}
