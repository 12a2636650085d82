/**
 * A ratio of two sums, and the part of each unit in it: ratio + (above − ratio · below) / mean below, whose mean is the ratio (delta method).
 *
 * @returns null where a value is unknown, or the sum below is 0
 * @example ratioParts([1, 3], [1, 1]) // { ratio: 2, parts: [1, 3] }
 */
export function ratioParts(
  above: readonly (number | null)[],
  below: readonly (number | null)[],
): { readonly ratio: number; readonly parts: readonly number[] } | null {
  let [upper, lower] = [0, 0]
  for (const [i, value] of above.entries()) {
    const other = below[i] ?? null
    if (value === null || other === null) return null
    upper += value
    lower += other
  }
  if (!(lower > 0)) return null
  const ratio = upper / lower
  const mean = lower / above.length
  return { ratio, parts: above.map((value, i) => ratio + ((value ?? 0) - ratio * (below[i] ?? 0)) / mean) }
}
