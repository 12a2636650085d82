import { mean } from "./mean.ts"
import { sortedNumbers } from "./order.ts"

/**
 * Mean without the `share` smallest and the `share` largest values (rounded down), as scipy.stats.trim_mean.
 *
 * @param share 0 ≤ share < 0.5
 * @example trimmedMean([1, 2, 3, 4, 100], 0.2) // 3
 */
export function trimmedMean(values: ArrayLike<number>, share: number): number {
  if (!(share >= 0 && share < 0.5)) throw new RangeError(`a share of ${share} leaves nothing between both ends`)
  const cut = Math.floor(share * values.length)
  return mean(sortedNumbers(values).subarray(cut, values.length - cut))
}

/**
 * Geometric mean of positive values: for ratios, such as speed-ups over several tasks. 0 when one is 0; NaN below.
 */
export function geometricMean(values: ArrayLike<number>): number {
  return Math.exp(mean(Float64Array.from(values, Math.log)))
}
