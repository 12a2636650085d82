/**
 * Texts as integers: equal texts have equal numbers, counted from 0. For the words of one sample, and for the ids of a file.
 *
 * A text is added as a piece of a text, without cutting it out: an open-addressed table over code units that is reused
 * from sample to sample, so that nothing is allocated per text. Being no object, it knows no "constructor" or "__proto__".
 */
export class Vocabulary {
  /** Words so far. */
  size = 0
  // Per slot: hash, number, stamp.
  private slots = new Int32Array(3 * 1024)
  private mask = 1023
  private stamp = 0
  /** Code units of all words, and where each word begins; word n ends where word n + 1 begins. */
  private units = new Uint16Array(4096)
  private begins = new Int32Array(1024)

  /** Forgets all words. Call it before the first text of a sample. */
  clear(): void {
    this.stamp++
    this.size = 0
    if (this.units.length > 2 ** 20 || this.stamp === 0x7fffffff) {
      this.slots = new Int32Array(3 * 1024)
      this.mask = 1023
      this.stamp = 1
      this.units = new Uint16Array(4096)
      this.begins = new Int32Array(1024)
    }
  }

  /** The number of `text.slice(start, end)`. */
  add(text: string, start = 0, end = text.length): number {
    let hash = 0x811c9dc5 | 0
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash ^= hash >>> 15
    const { slots, mask, stamp } = this
    let slot = (hash & mask) * 3
    while (slots[slot + 2] === stamp) {
      const number = slots[slot + 1] as number
      if (slots[slot] === hash && this.equals(number, text, start, end)) return number
      slot = slot === mask * 3 ? 0 : slot + 3
    }
    slots[slot] = hash
    slots[slot + 1] = this.size
    slots[slot + 2] = stamp
    return this.append(text, start, end)
  }

  /** The number of each word. */
  number(words: readonly string[]): Int32Array {
    return Int32Array.from(words, (word) => this.add(word))
  }

  /** The text that has the number. */
  text(number: number): string {
    const units = this.units.subarray(this.begins[number], this.begins[number + 1])
    if (units.length <= 1024) return String.fromCharCode(...units)
    return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString("utf16le")
  }

  /** Below 0 when the first text comes before the second in the order of UTF-16 units, above 0 when after. */
  compare(first: number, second: number): number {
    const { begins, units } = this
    const endOne = begins[first + 1] as number
    const endTwo = begins[second + 1] as number
    let i = begins[first] as number
    let j = begins[second] as number
    while (i < endOne && j < endTwo) {
      const difference = (units[i++] as number) - (units[j++] as number)
      if (difference !== 0) return difference
    }
    return endOne - i - (endTwo - j)
  }

  private equals(number: number, text: string, start: number, end: number): boolean {
    const begin = this.begins[number] as number
    if ((this.begins[number + 1] as number) - begin !== end - start) return false
    for (let i = start, at = begin; i < end; i++, at++) if (this.units[at] !== text.charCodeAt(i)) return false
    return true
  }

  private append(text: string, start: number, end: number): number {
    const number = this.size++
    if (number + 2 > this.begins.length) this.begins = enlarged(this.begins, new Int32Array(2 * this.begins.length))
    const begin = number === 0 ? 0 : (this.begins[number] as number)
    const next = begin + end - start
    while (next > this.units.length) this.units = enlarged(this.units, new Uint16Array(2 * this.units.length))
    for (let i = start, at = begin; i < end; i++, at++) this.units[at] = text.charCodeAt(i)
    this.begins[number] = begin
    this.begins[number + 1] = next
    if (this.size * 2 > this.mask) this.rehash()
    return number
  }

  private rehash(): void {
    const old = this.slots
    this.mask = 2 * this.mask + 1
    this.slots = new Int32Array(3 * (this.mask + 1))
    for (let from = 0; from < old.length; from += 3) {
      if (old[from + 2] !== this.stamp) continue
      let slot = ((old[from] as number) & this.mask) * 3
      while (this.slots[slot + 2] === this.stamp) slot = slot === this.mask * 3 ? 0 : slot + 3
      this.slots.set(old.subarray(from, from + 3), slot)
    }
  }
}

function enlarged<Numbers extends Int32Array | Uint16Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old)
  return larger
}
