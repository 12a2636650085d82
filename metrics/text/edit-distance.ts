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

/** Where each symbol of a pattern occurs: a list of (block, bits) per symbol. */
class Occurrences {
  private readonly head = new Map<number, number>()
  private readonly next: Int32Array
  private readonly block: Int32Array
  private readonly bits: Int32Array

  constructor(pattern: Int32Array) {
    this.next = new Int32Array(pattern.length)
    this.block = new Int32Array(pattern.length)
    this.bits = new Int32Array(pattern.length)
    let entries = 0
    for (let i = 0; i < pattern.length; i++) {
      const symbol = pattern[i] as number
      const head = this.head.get(symbol) ?? -1
      if (head >= 0 && this.block[head] === i >>> 5) {
        this.bits[head] = (this.bits[head] as number) | (1 << (i & 31))
        continue
      }
      this.block[entries] = i >>> 5
      this.bits[entries] = 1 << (i & 31)
      this.next[entries] = head
      this.head.set(symbol, entries++)
    }
  }

  /** Writes the bits of a symbol into `equal`, or zeros over them. */
  write(symbol: number, equal: Int32Array, on: boolean): void {
    for (let entry = this.head.get(symbol) ?? -1; entry >= 0; entry = this.next[entry] as number)
      equal[this.block[entry] as number] = on ? (this.bits[entry] as number) : 0
  }
}

function distance(pattern: Int32Array, text: Int32Array): number {
  const occurrences = new Occurrences(pattern)
  const blocks = Math.ceil(pattern.length / 32)
  const equal = new Int32Array(blocks)
  // Vertical differences of the current column, as bits: +1 and −1.
  const plus = new Int32Array(blocks).fill(-1)
  const minus = new Int32Array(blocks)
  const lastBit = (pattern.length - 1) & 31
  let score = pattern.length
  for (let column = 0; column < text.length; column++) {
    const symbol = text[column] as number
    occurrences.write(symbol, equal, true)
    // The horizontal difference that comes into a block from above: the first row grows by one in every column.
    let plusIn = 1
    let minusIn = 0
    for (let block = 0; block < blocks; block++) {
      const vPlus = plus[block] as number
      const vMinus = minus[block] as number
      const eq = equal[block] as number
      const xv = eq | vMinus
      const eqIn = eq | minusIn
      const xh = ((((eqIn & vPlus) + vPlus) | 0) ^ vPlus) | eqIn
      const hPlus = vMinus | ~(xh | vPlus)
      const hMinus = vPlus & xh
      if (block === blocks - 1) score += ((hPlus >>> lastBit) & 1) - ((hMinus >>> lastBit) & 1)
      const shiftedPlus = (hPlus << 1) | plusIn
      plus[block] = (hMinus << 1) | minusIn | ~(xv | shiftedPlus)
      minus[block] = shiftedPlus & xv
      plusIn = hPlus >>> 31
      minusIn = hMinus >>> 31
    }
    occurrences.write(symbol, equal, false)
  }
  return score
}
