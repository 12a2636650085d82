/**
 * Ranks 1..n; tied values share the mean of their ranks.
 *
 * @example ranks([10, 20, 20, 5]) // [2, 3.5, 3.5, 1]
 * @public
 */
export function ranks(values: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(values).sort()
  /** The different values in their order, and the rank that all of one have. */
  const distinct = new Float64Array(sorted.length)
  const rankOf = new Float64Array(sorted.length)
  let count = 0
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1
    while (end < sorted.length && sorted[end] === sorted[start]) end++
    distinct[count] = sorted[start] as number
    rankOf[count++] = (start + end + 1) / 2
    start = end
  }
  return Float64Array.from(values, (value) => rankOf[placeOf(value, distinct, count)] as number)
}

/** Place of a value that is among the first `count` of ascending ones. */
function placeOf(value: number, ascending: Float64Array, count: number): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Sizes of the groups of equal values, groups of one included. */
export function tieSizes(values: ArrayLike<number>): number[] {
  const counts = new Map<number, number>()
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts.values()]
}
