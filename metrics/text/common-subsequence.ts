const bits = 30
const full = 2 ** bits - 1
const manyNumbers = 2 ** 20

/**
 * Longest common subsequences of one sequence with many others, bit-parallel (Crochemore et al. 2001; Hyyrö 2004): 30 columns
 * of the dynamic-programming row in one integer. A column's bit is 0 where the row's value rises by one.
 *
 * The other sequences ("candidates") lie side by side, each beginning in a block of its own, so that one pass over a
 * reference serves all of them. A row costs the occurrences of its symbol and the carries, not the length of the text.
 */
export class CommonSubsequences {
  /** Blocks of all candidates together. */
  readonly blocks: number
  private readonly candidates: readonly Int32Array[]
  /** First block of each candidate; one more entry than candidates. */
  private readonly begins: Int32Array
  private readonly isBegin: Uint8Array
  /** First position of each symbol, and for each position the next of the same symbol; −1 at the end. */
  private readonly first: Int32Array
  private readonly next: Int32Array

  /**
   * @param candidates symbols 0 … symbols − 1
   * @param symbols how many symbols candidates and references use together
   */
  constructor(candidates: readonly Int32Array[], symbols: number) {
    this.candidates = candidates
    this.begins = new Int32Array(candidates.length + 1)
    for (let c = 0; c < candidates.length; c++)
      this.begins[c + 1] = (this.begins[c] as number) + Math.ceil((candidates[c] as Int32Array).length / bits)
    this.blocks = this.begins[candidates.length] as number
    this.isBegin = new Uint8Array(this.blocks + 1)
    for (const begin of this.begins) this.isBegin[begin] = 1
    this.first = new Int32Array(symbols).fill(-1)
    this.next = new Int32Array(this.blocks * bits)
    for (let c = candidates.length - 1; c >= 0; c--) {
      const candidate = candidates[c] as Int32Array
      const base = (this.begins[c] as number) * bits
      for (let i = candidate.length - 1; i >= 0; i--) {
        const symbol = candidate[i] as number
        this.next[base + i] = this.first[symbol] as number
        this.first[symbol] = base + i
      }
    }
  }

  /** Length of the longest common subsequence of a reference and the first candidate. */
  length(reference: Int32Array): number {
    const row = new Int32Array(this.blocks).fill(full)
    for (const symbol of reference) this.advance(row, 0, symbol)
    return rises(row, 0, 0, this.candidates[0]?.length ?? 0)
  }

  /**
   * Marks with 1 the positions of a reference that are in its longest common subsequence with any candidate: the union that
   * summary-level ROUGE-L counts. Of several longest ones it is the one that rouge_score's backtracking reads.
   * Memory: blocks × √reference at most, beyond a million numbers.
   */
  union(reference: Int32Array, marks = new Uint8Array(reference.length)): Uint8Array {
    if (this.blocks === 0 || reference.length === 0) return marks
    if (this.candidates.length > 1 && reference.length * this.blocks > manyNumbers) {
      for (const candidate of this.candidates)
        new CommonSubsequences([candidate], this.first.length).union(reference, marks)
      return marks
    }
    const rows = new Rows(this, reference)
    for (let c = 0; c < this.candidates.length; c++)
      this.backtrack(reference, this.candidates[c] as Int32Array, (this.begins[c] as number) * bits, rows, marks)
    return marks
  }

  /** Turns the row that begins at `offset` into the next one, whose symbol is given. */
  advance(rows: Int32Array, offset: number, symbol: number): void {
    const { next, isBegin, blocks } = this
    let position = this.first[symbol] as number
    let block = 0
    let carry = 0
    while (position >= 0 || carry > 0) {
      if (carry === 0) block = Math.floor(position / bits)
      const base = block * bits
      let matches = 0
      while (position >= 0 && position < base + bits) {
        matches |= 1 << (position - base)
        position = next[position] as number
      }
      const old = rows[offset + block] as number
      const sum = old + (old & matches) + carry
      rows[offset + block] = (sum | (old & ~matches)) & full
      block++
      carry = block < blocks && isBegin[block] === 0 ? sum >>> bits : 0
    }
  }

  private backtrack(reference: Int32Array, candidate: Int32Array, base: number, rows: Rows, marks: Uint8Array): void {
    let i = reference.length
    let j = candidate.length
    let here = rises(rows.held, rows.row(i), base, j)
    while (i > 0 && j > 0 && here > 0) {
      if (reference[i - 1] === candidate[j - 1]) {
        marks[i - 1] = 1
        i--
        j--
        here--
        continue
      }
      // Go left only where the value to the left is larger than the value above.
      const row = rows.row(i)
      const above = rises(rows.held, row - this.blocks, base, j)
      if (above < here && !isRise(rows.held, row, base + j - 1)) j--
      else {
        here = above
        i--
      }
    }
  }
}

/** Rows 0 … n of one reference: all of them while they are few, else a stretch of them, made again from saved rows. */
class Rows {
  private readonly columns: CommonSubsequences
  private readonly reference: Int32Array
  private readonly stretch: number
  /** Rows 0, stretch, 2 × stretch … */
  private readonly saved: Int32Array
  /** Rows heldFrom … heldFrom + stretch. */
  readonly held: Int32Array
  private heldFrom = -1

  constructor(columns: CommonSubsequences, reference: Int32Array) {
    const { blocks } = columns
    const { length } = reference
    this.columns = columns
    this.reference = reference
    this.stretch = length * blocks <= manyNumbers ? length : Math.ceil(Math.sqrt(length))
    this.held = new Int32Array((this.stretch + 1) * blocks)
    const stretches = Math.ceil(length / this.stretch)
    this.saved = new Int32Array(stretches * blocks)
    const row = new Int32Array(blocks).fill(full)
    for (let s = 0; s < stretches; s++) {
      this.saved.set(row, s * blocks)
      if (s + 1 === stretches) break
      for (let i = s * this.stretch; i < (s + 1) * this.stretch; i++) columns.advance(row, 0, reference[i] as number)
    }
  }

  /** Where row i ≥ 1, after i symbols of the reference, begins in `held`; row i − 1 is held before it. */
  row(i: number): number {
    if (this.heldFrom < 0 || i <= this.heldFrom || i > this.heldFrom + this.stretch)
      this.hold(Math.floor((i - 1) / this.stretch))
    return (i - this.heldFrom) * this.columns.blocks
  }

  private hold(stretch: number): void {
    const { blocks } = this.columns
    this.heldFrom = stretch * this.stretch
    this.held.set(this.saved.subarray(stretch * blocks, (stretch + 1) * blocks))
    const rows = Math.min(this.stretch, this.reference.length - this.heldFrom)
    for (let i = 1; i <= rows; i++) {
      this.held.copyWithin(i * blocks, (i - 1) * blocks, i * blocks)
      this.columns.advance(this.held, i * blocks, this.reference[this.heldFrom + i - 1] as number)
    }
  }
}

/** Whether the row that begins at `offset` rises at a position. */
function isRise(rows: Int32Array, offset: number, position: number): boolean {
  const block = Math.floor(position / bits)
  return (((rows[offset + block] as number) >>> (position - block * bits)) & 1) === 0
}

/** How often the row that begins at `offset` rises in `count` positions from `base`, the beginning of a block. */
function rises(rows: Int32Array, offset: number, base: number, count: number): number {
  let total = 0
  let block = offset + base / bits
  let left = count
  for (; left >= bits; left -= bits) total += ones(~(rows[block++] as number) & full)
  return left > 0 ? total + ones(~(rows[block] as number) & ((1 << left) - 1)) : total
}

function ones(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
