/**
 * N-grams of integer tokens as integers: the n-gram of order n is the pair (its prefix of order n − 1, its last token).
 * One open-addressed table of 32-bit integers that is reused from text to text: emptying it is one increment, nothing is
 * allocated per n-gram, and no n-gram is ever written as a string. Memory: 16 bytes per slot, at least two slots per n-gram;
 * a table that an unusually long text made large is dropped at the next {@link NgramIndex.reset}.
 */
export class NgramIndex {
  /** The prefix of every n-gram of order 1. */
  static readonly root = 0
  /** How often each n-gram was counted, by n-gram. */
  counts = new Int32Array(0)
  /** N-grams so far; they are numbered from 1. */
  size = 0
  private slots = new Int32Array(0)
  private mask = 0
  private stamp = 0

  /** Forgets everything and makes room for `capacity` n-grams. */
  reset(capacity: number): void {
    const size = 2 ** Math.ceil(Math.log2(Math.max(512, capacity * 2)))
    if (this.mask + 1 < size || this.mask + 1 > Math.max(2 ** 16, size * 64) || this.stamp === 0x7fffffff) {
      this.slots = new Int32Array(size * 4)
      this.counts = new Int32Array(size / 2 + 1)
      this.mask = size - 1
      this.stamp = 0
    }
    this.stamp++
    this.size = 0
  }

  /** The n-gram of a prefix and a token, which is added with count 0 where it is new. */
  add(prefix: number, token: number): number {
    const { slots, mask, stamp } = this
    let slot = hash(prefix, token) & mask
    for (;;) {
      const at = slot << 2
      if (slots[at + 2] !== stamp) {
        slots[at] = prefix
        slots[at + 1] = token
        slots[at + 2] = stamp
        slots[at + 3] = ++this.size
        this.counts[this.size] = 0
        return this.size
      }
      if (slots[at] === prefix && slots[at + 1] === token) return slots[at + 3] as number
      slot = (slot + 1) & mask
    }
  }

  /** The n-gram of a prefix and a token, or −1 where it was not added. */
  find(prefix: number, token: number): number {
    const { slots, mask, stamp } = this
    let slot = hash(prefix, token) & mask
    for (;;) {
      const at = slot << 2
      if (slots[at + 2] !== stamp) return -1
      if (slots[at] === prefix && slots[at + 1] === token) return slots[at + 3] as number
      slot = (slot + 1) & mask
    }
  }
}

function hash(prefix: number, token: number): number {
  const mixed = Math.imul(prefix, 0x9e3779b1) ^ Math.imul(token + 0x7f4a7c15, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
