import type { Random } from "../../core/random.ts"
import { drawSums, streamName } from "./draw-sums.ts"

/** Rows of sufficient statistics, row-major: row i is `data[i·size .. (i+1)·size)`. @public */
export interface VectorRows {
  readonly data: Float64Array
  readonly size: number
}

/**
 * Bootstrap distribution of a figure that is a function of summed sufficient statistics (BLEU, chrF, TER): resampling
 * adds vectors and never tokenises again. For a paired difference lay both systems' vectors side by side in one row and
 * let `score` subtract. Koehn 2004.
 *
 * @param score the figure of a summed vector; it must not keep the array
 */
export function bootstrapVectors(
  rows: VectorRows,
  score: (sum: Float64Array) => number,
  resamples: number,
  random: Random,
): Float64Array {
  const { data, size } = rows
  const sums = drawSums({ kind: "resample", data, size, draws: resamples, seed: streamName(random) })
  return new Float64Array(resamples).map((_, r) => score(sums.subarray(r * size, (r + 1) * size)))
}

/** The figure without each row in turn. */
export function jackknifeVectors(rows: VectorRows, score: (sum: Float64Array) => number): Float64Array {
  const { data, size } = rows
  const n = data.length / size
  const total = sumOfRows(rows)
  const without = new Float64Array(size)
  return Float64Array.from({ length: n }, (_, i) => {
    for (let k = 0; k < size; k++) without[k] = (total[k] as number) - (data[i * size + k] as number)
    return score(without)
  })
}

/** Sum of the rows with the given indices (of all rows when absent). */
export function sumOfRows({ data, size }: VectorRows, indices?: ArrayLike<number>): Float64Array {
  const sum = new Float64Array(size)
  const n = indices ? indices.length : data.length / size
  for (let i = 0; i < n; i++) {
    const offset = (indices ? (indices[i] as number) : i) * size
    for (let k = 0; k < size; k++) sum[k]! += data[offset + k] as number
  }
  return sum
}
