/**
 * Levenshtein distance of two sequences of integers (code points, word numbers): insertions, deletions and substitutions,
 * each 1. Bit-parallel (Myers 1999, in blocks as Hyyrö 2003 has them): 32 rows of the matrix at a time.
 * Time: n × m / 32 at most; memory: linear.
 *
 * @example levenshtein(Int32Array.of(1, 2, 3), Int32Array.of(1, 3)) // 1
 */
export function levenshtein(one: Int32Array, two: Int32Array): number {
  // What is the same at both ends costs nothing.
  let start = 0
  const shorter = Math.min(one.length, two.length)
  while (start < shorter && one[start] === two[start]) start++
  let end = 0
  while (end < shorter - start && one[one.length - 1 - end] === two[two.length - 1 - end]) end++
  const a = one.subarray(start, one.length - end)
  const b = two.subarray(start, two.length - end)
  if (a.length === 0 || b.length === 0) return a.length + b.length
  return a.length <= b.length ? distance(a, b) : distance(b, a)
}

/**
 * The matrix in strips of 32 rows (pattern symbols), two at a time, from the first column to the last: what a strip hands to
 * the one below it is one difference per column, and only its own 32 symbols need masks.
 */
function distance(pattern: Int32Array, text: Int32Array): number {
  const [rows, columns, symbols] = numbered(pattern, text)
  const upper = new Int32Array(symbols)
  const lower = new Int32Array(symbols)
  // Horizontal differences under the strip above, −1, 0 or 1: along the first row the distance grows by one per column.
  const below = new Int8Array(columns.length).fill(1)
  for (let base = 0; base < rows.length; base += 64) {
    const first = rows.subarray(base, base + 32)
    const second = rows.subarray(base + 32, base + 64)
    for (let i = 0; i < first.length; i++) upper[first[i] as number] = (upper[first[i] as number] as number) | (1 << i)
    for (let i = 0; i < second.length; i++)
      lower[second[i] as number] = (lower[second[i] as number] as number) | (1 << i)
    if (second.length > 0) twoStrips(columns, upper, lower, below, second.length - 1)
    else oneStrip(columns, upper, below, first.length - 1)
    for (const symbol of first) upper[symbol] = 0
    for (const symbol of second) lower[symbol] = 0
  }
  return below.reduce((sum, difference) => sum + difference, rows.length)
}

function oneStrip(columns: Int32Array, masks: Int32Array, below: Int8Array, lastBit: number): void {
  // Vertical differences of the current column, as bits: +1 and −1.
  let plus = -1
  let minus = 0
  for (let column = 0; column < columns.length; column++) {
    const above = below[column] as number
    const equal = masks[columns[column] as number] as number
    const reach = equal | (above >>> 31)
    const run = (((reach & plus) + plus) ^ plus) | reach
    const across = minus | ~(run | plus)
    const back = plus & run
    const kept = equal | minus
    const shifted = (across << 1) | ((above + 1) >> 1)
    plus = (back << 1) | (above >>> 31) | ~(kept | shifted)
    minus = shifted & kept
    below[column] = ((across >>> lastBit) & 1) - ((back >>> lastBit) & 1)
  }
}

/** {@link oneStrip} for two strips in one pass: the processor works on the lower one's column while it begins the next. */
function twoStrips(columns: Int32Array, upper: Int32Array, lower: Int32Array, below: Int8Array, lastBit: number): void {
  let plus = -1
  let minus = 0
  let lowerPlus = -1
  let lowerMinus = 0
  for (let column = 0; column < columns.length; column++) {
    const above = below[column] as number
    const symbol = columns[column] as number
    const equal = upper[symbol] as number
    const reach = equal | (above >>> 31)
    const run = (((reach & plus) + plus) ^ plus) | reach
    const across = minus | ~(run | plus)
    const back = plus & run
    const kept = equal | minus
    const shifted = (across << 1) | ((above + 1) >> 1)
    plus = (back << 1) | (above >>> 31) | ~(kept | shifted)
    minus = shifted & kept

    const lowerEqual = lower[symbol] as number
    const lowerReach = lowerEqual | (back >>> 31)
    const lowerRun = (((lowerReach & lowerPlus) + lowerPlus) ^ lowerPlus) | lowerReach
    const lowerAcross = lowerMinus | ~(lowerRun | lowerPlus)
    const lowerBack = lowerPlus & lowerRun
    const lowerKept = lowerEqual | lowerMinus
    const lowerShifted = (lowerAcross << 1) | (across >>> 31)
    lowerPlus = (lowerBack << 1) | (back >>> 31) | ~(lowerKept | lowerShifted)
    lowerMinus = lowerShifted & lowerKept
    below[column] = ((lowerAcross >>> lastBit) & 1) - ((lowerBack >>> lastBit) & 1)
  }
}

/** Both sequences with symbols that can index an array, and how many indices they need. */
function numbered(one: Int32Array, two: Int32Array): [one: Int32Array, two: Int32Array, symbols: number] {
  let largest = 0
  for (const symbol of one) if (symbol > largest) largest = symbol
  for (const symbol of two) if (symbol > largest) largest = symbol
  if (largest < 1024) return [one, two, largest + 1]
  const numbers = new Map<number, number>()
  const number = (symbol: number) => {
    const known = numbers.get(symbol)
    if (known !== undefined) return known
    numbers.set(symbol, numbers.size)
    return numbers.size - 1
  }
  return [one.map(number), two.map(number), numbers.size]
}
