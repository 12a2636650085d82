/**
 * A sort order of texts by their UTF-16 units: the same on every machine, unlike `localeCompare`. Everything that draws
 * at random sorts by sample id with it first.
 */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A copy in ascending numeric order, as a typed array. */
export function sortedNumbers(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort()
}
