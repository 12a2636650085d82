import { readCodePoints } from "./code-points.ts"

/** Symbols below this index the masks directly; larger ones (emoji, words beyond it) are numbered first. */
const largestSymbol = 0xffff

// Reused from call to call: for short texts, fetching memory would take longer than the distance.
let bufferA = new Int32Array(1024)
let bufferB = new Int32Array(1024)
/** Per symbol, the rows of the upper and of the lower strip that have it, as bits; all 0 between calls. */
const masks = new Int32Array(2 * (largestSymbol + 1))

/**
 * Levenshtein distance of two texts by code point: insertions, deletions and substitutions, each 1.
 *
 * @example textLevenshtein("kitten", "sitting") // 3
 */
export function textLevenshtein(first: string, second: string): number {
  makeRoom(first.length, second.length)
  return distance(readCodePoints(first, bufferA), readCodePoints(second, bufferB))
}

/**
 * Levenshtein distance of two sequences of integers from 0 (word numbers). Bit-parallel (Myers 1999, in blocks as Hyyrö 2003
 * has them), 64 rows of the matrix at a time, within a band around the diagonal as wide as the distance (Ukkonen 1985).
 * Time: n × (d + 64) / 64 at most for distance d; memory: linear.
 *
 * @example levenshtein(Int32Array.of(1, 2, 3), Int32Array.of(1, 3)) // 1
 */
export function levenshtein(first: Int32Array, second: Int32Array): number {
  makeRoom(first.length, second.length)
  bufferA.set(first)
  bufferB.set(second)
  return distance(first.length, second.length)
}

function makeRoom(first: number, second: number): void {
  if (first > bufferA.length) bufferA = new Int32Array(2 * first)
  if (second > bufferB.length) bufferB = new Int32Array(2 * second)
}

/** The distance of the first symbols of `one` and `two`, which it may renumber. */
function distance(inOne: number, inTwo: number): number {
  const [rows, columns] = inOne <= inTwo ? [bufferA, bufferB] : [bufferB, bufferA]
  let rowsEnd = Math.min(inOne, inTwo)
  let columnsEnd = Math.max(inOne, inTwo)
  // What is the same at both ends costs nothing.
  let start = 0
  while (start < rowsEnd && rows[start] === columns[start]) start++
  while (rowsEnd > start && rows[rowsEnd - 1] === columns[columnsEnd - 1]) {
    rowsEnd--
    columnsEnd--
  }
  const m = rowsEnd - start
  const n = columnsEnd - start
  if (m === 0) return n
  if (Math.max(largest(rows, start, m), largest(columns, start, n)) > largestSymbol) {
    const numbers = new Map<number, number>()
    renumber(rows, start, m, numbers)
    renumber(columns, start, n, numbers)
  }
  if (m <= 32) return oneStrip(rows, columns, start, m, n)
  // A first guess of the distance; where it is too small, the band's own answer bounds the distance from above.
  const guess = m <= 64 ? n : (n >> 2) + 32 + n - m
  const edits = banded(rows, columns, start, m, n, guess)
  return edits <= guess ? edits : banded(rows, columns, start, m, n, edits)
}

function largest(symbols: Int32Array, start: number, count: number): number {
  let max = 0
  for (let i = start; i < start + count; i++) if ((symbols[i] as number) > max) max = symbols[i] as number
  return max
}

/** Replaces symbols by the order in which they occur. */
function renumber(symbols: Int32Array, start: number, count: number, numbers: Map<number, number>): void {
  for (let i = start; i < start + count; i++) {
    const symbol = symbols[i] as number
    const existing = numbers.get(symbol)
    symbols[i] = existing ?? numbers.size
    if (existing === undefined) numbers.set(symbol, numbers.size)
  }
}

/** A matrix of at most 32 rows: one column after the other, adding up the difference along its last row. */
function oneStrip(rows: Int32Array, columns: Int32Array, start: number, m: number, n: number): number {
  const masksOf = masks
  // The rows are the highest bits, so that the last one is bit 31.
  const unused = 32 - m
  for (let i = 0; i < m; i++) masksOf[2 * (rows[start + i] as number)]! |= 1 << (i + unused)
  // Vertical differences of the current column, as bits: +1 and −1. Unused rows have neither.
  let plus = -1 << unused
  let minus = 0
  let edits = m
  for (let at = start; at < start + n; at++) {
    const equal = (masksOf[2 * (columns[at] as number)] as number) | minus
    const run = (((equal & plus) + plus) ^ plus) | equal
    const across = minus | ~(run | plus)
    const back = plus & run
    edits += (across >>> 31) - (back >>> 31)
    const shifted = (across << 1) | 1
    plus = (back << 1) | ~(run | shifted)
    minus = shifted & run
  }
  for (let i = 0; i < m; i++) masksOf[2 * (rows[start + i] as number)] = 0
  return edits
}

/**
 * The distance if it is at most `limit`, else an upper bound of it. Row by row of 64, only columns that a path of at most
 * `limit` edits can touch; outside of them every step counts as an edit, which never makes a path cheaper than it is.
 */
function banded(rows: Int32Array, columns: Int32Array, start: number, m: number, n: number, limit: number): number {
  const aside = (limit - (n - m)) >> 1
  const end = start + n
  // Each column with the horizontal difference below the strips so far, in two bits: 1 is +1 (the first row), 2 is −1.
  for (let at = start; at < end; at++) columns[at] = ((columns[at] as number) << 2) | 1
  let first = start
  // Value of the matrix before the first column of the band, below the strips so far.
  let value = 0
  // Where 64 does not divide m, the top strips have unused rows: no symbol and no difference.
  for (let base = m % 64 === 0 ? 0 : (m % 64) - 64; base < m; base += 64) {
    const top = Math.max(0, base)
    for (; first < start + top - aside; first++) value += difference(columns[first] as number)
    mark(rows, start, top, base, 1)
    twoStrips(columns, first, Math.min(end, start + base + 64 + n - m + aside), edges(base), edges(base + 32))
    mark(rows, start, top, base, 0)
    value += base + 64 - top
  }
  for (; first < end; first++) value += difference(columns[first] as number)
  for (let at = start; at < end; at++) columns[at] = (columns[at] as number) >> 2
  return value
}

function difference(column: number): number {
  return (column & 1) - ((column >> 1) & 1)
}

/** The bits of a strip's rows that exist: all but those above row 0. */
function edges(firstRow: number): number {
  return firstRow >= 0 ? -1 : firstRow <= -32 ? 0 : -1 << -firstRow
}

/** Sets (1) or clears (0) the bits of the rows from `top` to the end of the two strips that begin at `base`. */
function mark(rows: Int32Array, start: number, top: number, base: number, bit: 0 | 1): void {
  const masksOf = masks
  for (let row = top; row < base + 64; row++) {
    const at = 2 * (rows[start + row] as number) + ((row - base) >> 5)
    masksOf[at] = bit === 0 ? 0 : (masksOf[at] as number) | (1 << ((row - base) & 31))
  }
}

/** Two strips of 32 rows in one pass: the processor works on the lower one's column while it begins the upper one's next. */
function twoStrips(columns: Int32Array, first: number, end: number, plus: number, lowerPlus: number): void {
  const masksOf = masks
  let minus = 0
  let lowerMinus = 0
  for (let at = first; at < end; at++) {
    const column = columns[at] as number
    const symbol = (column >> 2) << 1
    const equal = masksOf[symbol] as number
    const lowerEqual = masksOf[symbol + 1] as number
    const above = (column >> 1) & 1
    const reach = equal | above
    const run = (((reach & plus) + plus) ^ plus) | reach
    const across = minus | ~(run | plus)
    const back = plus & run
    const kept = equal | minus
    const shifted = (across << 1) | (column & 1)
    plus = (back << 1) | above | ~(kept | shifted)
    minus = shifted & kept

    const between = back >>> 31
    const lowerReach = lowerEqual | between
    const lowerRun = (((lowerReach & lowerPlus) + lowerPlus) ^ lowerPlus) | lowerReach
    const lowerAcross = lowerMinus | ~(lowerRun | lowerPlus)
    const lowerBack = lowerPlus & lowerRun
    const lowerKept = lowerEqual | lowerMinus
    const lowerShifted = (lowerAcross << 1) | (across >>> 31)
    lowerPlus = (lowerBack << 1) | between | ~(lowerKept | lowerShifted)
    lowerMinus = lowerShifted & lowerKept
    columns[at] = (column & -4) | (lowerAcross >>> 31) | ((lowerBack >>> 30) & 2)
  }
}
