/** Numbers that are only appended: 8 bytes each, no objects, so that a run of millions of tokens stays small. */
export interface NumberList {
  readonly length: number
  push(value: number): void
  /** The values in order of arrival; a view that the next `push` may leave behind. */
  values(): Float64Array
  /** A sorted copy, ascending. */
  sorted(): Float64Array
}

/** An empty list. */
export function createNumberList(): NumberList {
  let store = new Float64Array(64)
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
  }
}
