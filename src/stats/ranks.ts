/**
 * Ranks 1..n; tied values share the mean of their ranks.
 *
 * @example ranks([10, 20, 20, 5]) // [2, 3.5, 3.5, 1]
 * @public
 */
export function ranks(values: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: values.length }, (_, i) => i).sort(
    (i, j) => (values[i] as number) - (values[j] as number),
  )
  const result = new Float64Array(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && values[order[end] as number] === values[order[start] as number]) end++
    for (let k = start; k < end; k++) result[order[k] as number] = (start + end + 1) / 2
    start = end
  }
  return result
}

/** Sizes of the groups of equal values, groups of one included. @public */
export function tieSizes(values: ArrayLike<number>): number[] {
  const counts = new Map<number, number>()
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts.values()]
}
