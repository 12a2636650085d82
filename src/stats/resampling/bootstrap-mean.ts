import type { Random } from "../../core/random.ts"
import { drawSums, streamName } from "./draw-sums.ts"

/**
 * Bootstrap distribution of a mean: draws n units with replacement, again and again. Units are samples, or clusters
 * given by their sums and sizes, whose mean is Σ sums / Σ sizes.
 *
 * @param sums value of each unit (or sum of each cluster)
 * @param sizes number of values in each cluster; all 1 when absent
 * @returns one mean per resample
 * @public
 */
export function bootstrapMeans(
  sums: Float64Array,
  resamples: number,
  random: Random,
  sizes?: Float64Array,
): Float64Array {
  const n = sums.length
  const seed = streamName(random)
  if (!sizes) return drawSums({ kind: "resample", data: sums, size: 1, draws: resamples, seed }).map((sum) => sum / n)
  const data = new Float64Array(2 * n)
  for (let i = 0; i < n; i++) {
    data[2 * i] = sums[i] as number
    data[2 * i + 1] = sizes[i] as number
  }
  const drawn = drawSums({ kind: "resample", data, size: 2, draws: resamples, seed })
  return new Float64Array(resamples).map((_, r) => (drawn[2 * r] as number) / (drawn[2 * r + 1] as number))
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
