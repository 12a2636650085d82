/**
 * A value in three characters or so, for columns that have no room for more: two digits (one below 0), without the zero before the point.
 *
 * @example shortValue(0.667) // ".67"
 * @example shortValue(74.12) // "74"
 */
export function shortValue(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? "\u2212" : ""
  const digits = value < 0 ? 1 : 2
  const limit = 1 - 0.5 * 10 ** -digits
  if (size > 0 && size < 1 - limit) return `${sign}~0`
  if (size < limit) return `${sign}${size.toFixed(digits).replace(/^0/, "")}`
  if (size < 9.95) return `${sign}${size.toFixed(1)}`
  if (size < 999.5) return `${sign}${size.toFixed(0)}`
  return size < 999_500 ? `${sign}${(size / 1000).toFixed(0)}k` : `${sign}${(size / 1e6).toPrecision(1)}M`
}
