import type { VectorRows } from "./bootstrap-vectors.ts"

/** Bits of a whole number that a float64 holds exactly. */
const bitsOfNumber = 53

/** Rows of whole numbers, several columns in each number: they are added together, and taken apart in the sum. */
export interface PackedRows extends VectorRows {
  /** Takes apart a sum of `added` of these rows, `size` numbers from `from[at]` on, into the original columns from `into[to]` on. */
  unpack(from: Float64Array, at: number, added: number, into: Float64Array, to: number): void
}

/**
 * Packs rows whose values are all whole numbers, as counts of n-grams are. A column takes as many bits as the largest sum of `most`
 * of its values needs, so that sums are exact, as those of the rows themselves.
 *
 * @param max rows that are added up at most
 * @returns null where values are not whole numbers, or nothing is saved
 */
export function packRows({ data, size }: VectorRows, max: number): PackedRows | null {
  if (size < 2 || data.length === 0 || !data.every(Number.isSafeInteger)) return null
  const columns = layOut(data, size, max)
  const last = columns.at(-1)
  if (!last || last.slot + 1 >= size) return null
  const slots = last.slot + 1
  const rows = data.length / size
  const packed = new Float64Array(rows * slots)
  for (let row = 0; row < rows; row++)
    for (const [k, { slot, unit, least }] of columns.entries())
      packed[row * slots + slot]! += (data[row * size + k]! - least) * unit
  return {
    data: packed,
    size: slots,
    unpack(from, at, added, into, to) {
      for (const [k, { slot, unit, span, least }] of columns.entries()) {
        const above = Math.floor(from[at + slot]! / unit)
        into[to + k] = above - Math.floor(above / span) * span + added * least
      }
    },
  }
}

/** Where a column lies: its number holds `(value − least) · unit`, and sums of it stay below `span · unit`. */
interface PackedColumn {
  readonly slot: number
  readonly unit: number
  readonly span: number
  readonly least: number
}

/** Bits that hold whole numbers from 0 to `greatest`. */
function bitsFor(greatest: number): number {
  let bits = 0
  while (bits <= bitsOfNumber && 2 ** bits <= greatest) bits++
  return bits
}

function layOut(data: Float64Array, size: number, max: number): PackedColumn[] {
  const columns: PackedColumn[] = []
  let [slot, used] = [0, 0]
  for (let k = 0; k < size; k++) {
    let [least, greatest] = [data[k]!, data[k]!]
    for (let i = k; i < data.length; i += size) {
      if (data[i]! < least) least = data[i]!
      if (data[i]! > greatest) greatest = data[i]!
    }
    const bits = bitsFor(max * (greatest - least))
    if (bits > bitsOfNumber) return []
    if (used + bits > bitsOfNumber) [slot, used] = [slot + 1, 0]
    columns.push({ slot, unit: 2 ** used, span: 2 ** bits, least })
    used += bits
  }
  return columns
}
