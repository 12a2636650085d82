import type { Random } from "../core/random.ts"
import { indexStream } from "./bootstrap-indices.ts"

/**
 * Bootstrap distribution of a mean: draws n units with replacement, again and again. Units are samples, or clusters
 * given by their sums and sizes, whose mean is Σ sums / Σ sizes.
 *
 * @param sums value of each unit (or sum of each cluster)
 * @param sizes number of values in each cluster; all 1 when absent
 * @returns one mean per resample
 */
export function bootstrapMeans(
  sums: Float64Array,
  resamples: number,
  random: Random,
  sizes?: Float64Array,
): Float64Array {
  const n = sums.length
  const means = new Float64Array(resamples)
  const indices = new Int32Array(n)
  const draw = indexStream(random, n)
  for (let r = 0; r < resamples; r++) {
    draw(indices)
    let sum = 0
    if (sizes) {
      let size = 0
      for (let i = 0; i < n; i++) {
        const index = indices[i] as number
        sum += sums[index] as number
        size += sizes[index] as number
      }
      means[r] = sum / size
    } else {
      for (let i = 0; i < n; i++) sum += sums[indices[i] as number] as number
      means[r] = sum / n
    }
  }
  return means
}

/** The mean without each unit in turn: what BCa's acceleration needs. */
export function jackknifeMeans(sums: Float64Array, sizes?: Float64Array): Float64Array {
  let sum = 0
  let size = 0
  for (let i = 0; i < sums.length; i++) {
    sum += sums[i] as number
    size += sizes ? (sizes[i] as number) : 1
  }
  return sums.map((value, i) => (sum - value) / (size - (sizes ? (sizes[i] as number) : 1)))
}
