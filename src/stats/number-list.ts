/** Numbers that are only appended: 8 bytes each, no objects, so that a run of millions of tokens stays small. */
export interface NumberList {
  readonly length: number
  push(value: number): void
  /** The values in order of arrival; a view that the next `push` may leave behind. */
  values(): Float64Array
  /** A sorted copy, ascending. */
  sorted(): Float64Array
  /** The values themselves, ascending from now on: nothing is copied, and the order of arrival is lost. */
  sortInPlace(): Float64Array
}

/** Numbers for which room is made at once, at most. */
const maxExpected = 16_000_000

/** An empty list; where it is known how many numbers there will be, nothing is copied while it grows. */
export function createNumberList(expected = 0): NumberList {
  let store = new Float64Array(Math.max(64, Math.min(expected, maxExpected)))
  let length = 0
  return {
    get length() {
      return length
    },
    push(value) {
      if (length === store.length) {
        const larger = new Float64Array(length * 2)
        larger.set(store)
        store = larger
      }
      store[length++] = value
    },
    values: () => store.subarray(0, length),
    sorted: () => store.slice(0, length).sort(),
    sortInPlace: () => store.subarray(0, length).sort(),
  }
}

/** The numbers in memory that holds no others: as they are where nothing else is held. */
export function exactly(values: Float64Array): Float64Array {
  return values.byteLength === values.buffer.byteLength ? values : values.slice()
}
