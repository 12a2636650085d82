import type { VectorRows } from "./bootstrap-vectors.ts"

/**
 * Adds rows of sufficient statistics up into at most `most` batches, row i into batch i modulo `most`. Resampling batches
 * instead of rows gives the same spread when rows are independent, at a cost that no longer grows with their number.
 *
 * @example batchVectors({ data: new Float64Array([1, 2, 3]), size: 1 }, 2) // { data: [4, 2], size: 1 }
 */
export function batchVectors(rows: VectorRows, most: number): VectorRows {
  const { data, size } = rows
  const n = data.length / size
  if (n <= most) return rows
  const batches = new Float64Array(most * size)
  for (let i = 0; i < n; i++) {
    const batch = (i % most) * size
    for (let k = 0; k < size; k++) batches[batch + k]! += data[i * size + k] as number
  }
  return { data: batches, size }
}
