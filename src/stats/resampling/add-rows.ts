import type { VectorRows } from "./bootstrap-vectors.ts"

/** Rows that are added before the next columns are: few enough to be in the cache still. */
const rowsTogether = 256

/**
 * Adds rows (row i is `data[i·size .. (i+1)·size)`) to the numbers from `at` on, in the order of the indices. Four columns at a time,
 * whose sums stay in registers: a third of the time of adding row by row.
 */
export function addRows({ data, size }: VectorRows, indices: Int32Array, into: Float64Array, at: number): void {
  for (let from = 0; from < indices.length; from += rowsTogether) {
    const to = Math.min(indices.length, from + rowsTogether)
    let k = 0
    for (; k + 4 <= size; k += 4) {
      let [a, b, c, d] = [into[at + k]!, into[at + k + 1]!, into[at + k + 2]!, into[at + k + 3]!]
      for (let i = from; i < to; i++) {
        const offset = indices[i]! * size + k
        a += data[offset]!
        b += data[offset + 1]!
        c += data[offset + 2]!
        d += data[offset + 3]!
      }
      into[at + k] = a
      into[at + k + 1] = b
      into[at + k + 2] = c
      into[at + k + 3] = d
    }
    for (; k < size; k++) {
      let sum = into[at + k]!
      for (let i = from; i < to; i++) sum += data[indices[i]! * size + k]!
      into[at + k] = sum
    }
  }
}

/**
 * Adds every row as often as each list of counts says, list j into the `size` numbers from `at + j·size` on. Rows are read in their own
 * order, some at a time for all lists.
 */
export function addCounted(
  { data, size }: VectorRows,
  counts: readonly Uint16Array[],
  into: Float64Array,
  at: number,
): void {
  const rows = data.length / size
  for (let from = 0; from < rows; from += rowsTogether)
    for (const [j, list] of counts.entries())
      addPart({ data, size }, list, from, Math.min(rows, from + rowsTogether), into, at + j * size)
}

function addPart(
  { data, size }: VectorRows,
  counts: Uint16Array,
  from: number,
  to: number,
  into: Float64Array,
  at: number,
): void {
  let k = 0
  for (; k + 4 <= size; k += 4) {
    let [a, b, c, d] = [into[at + k]!, into[at + k + 1]!, into[at + k + 2]!, into[at + k + 3]!]
    for (let i = from; i < to; i++) {
      const count = counts[i]!
      const offset = i * size + k
      a += count * data[offset]!
      b += count * data[offset + 1]!
      c += count * data[offset + 2]!
      d += count * data[offset + 3]!
    }
    into[at + k] = a
    into[at + k + 1] = b
    into[at + k + 2] = c
    into[at + k + 3] = d
  }
  for (; k < size; k++) {
    let sum = into[at + k]!
    for (let i = from; i < to; i++) sum += counts[i]! * data[i * size + k]!
    into[at + k] = sum
  }
}
