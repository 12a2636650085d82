import { mappedNumbers as numbers, releaseNumbers } from "./mapped-numbers.ts"
import type { NumberList } from "./number-list.ts"

/** Numbers of a page: 1 MB. */
const pageLength = 131_072
/** A list that takes twice the room when it is full has at most so many numbers. */
const largeLength = 8192
/** Numbers that a list has room for at first. */
const firstLength = 64

/** Numbers that are one and the same, or whole numbers of few bytes, or any. */
type Page = number | Int8Array | Int16Array | Int32Array | Float64Array

/** A {@link NumberList} whose memory is the system's again when it is not needed any more. */
export interface CompactList extends NumberList {
  /** Forgets all numbers, and those that `values` and `sortInPlace` gave once they were sorted. */
  clear(): void
}

/**
 * An empty {@link CompactList} for numbers that are read once, at the end: a page of equal numbers takes nothing, one of small whole
 * numbers a byte each. What is read is a copy, made when it is asked for.
 */
export function createCompactList(): CompactList {
  let pages: Page[] = []
  let last = new Float64Array(firstLength)
  let inLast = 0
  /** All of the numbers, in order, once they are sorted in place. */
  let whole: Float64Array | null = null
  const push = (value: number): void => {
    last[inLast++] = value
    if (inLast < last.length) return
    if (inLast < pageLength) {
      const larger = numbers(inLast < largeLength ? 2 * inLast : pageLength)
      larger.set(last)
      last = larger
      return
    }
    const packed = pack(last)
    pages.push(packed)
    if (packed === last) last = numbers(pageLength)
    inLast = 0
  }
  const forgetPages = (): void => {
    for (const page of pages) if (page instanceof Float64Array) releaseNumbers(page)
    releaseNumbers(last)
    pages = []
    last = new Float64Array(firstLength)
    inLast = 0
  }
  const values = (): Float64Array => {
    if (whole) return whole
    const all = numbers(pages.length * pageLength + inLast)
    for (const [i, page] of pages.entries())
      if (typeof page === "number") all.fill(page, i * pageLength, (i + 1) * pageLength)
      else all.set(page, i * pageLength)
    all.set(last.subarray(0, inLast), pages.length * pageLength)
    return all
  }
  return {
    get length() {
      return whole ? whole.length : pages.length * pageLength + inLast
    },
    push(value) {
      if (whole) {
        const before = whole
        whole = null
        for (const item of before) push(item)
      }
      push(value)
    },
    values,
    sorted: () => (whole ? whole.slice() : values().sort()),
    sortInPlace() {
      whole = values().sort()
      forgetPages()
      return whole
    },
    clear() {
      if (whole) releaseNumbers(whole)
      whole = null
      forgetPages()
    },
  }
}

/** The numbers in as few bytes as give them back as they are; the page itself where they need all of theirs. */
function pack(page: Float64Array): Page {
  const first = page[0] as number
  let isConstant = true
  let isWhole = true
  let min = 0
  let max = 0
  for (const value of page) {
    isConstant &&= Object.is(value, first)
    // −0 is no whole number here: it would come back as 0.
    isWhole &&= Object.is(value | 0, value)
    if (!isConstant && !isWhole) return page
    if (value < min) min = value
    if (value > max) max = value
  }
  if (isConstant) return first
  if (min >= -0x80 && max < 0x80) return Int8Array.from(page)
  return min >= -0x8000 && max < 0x8000 ? Int16Array.from(page) : Int32Array.from(page)
}
