/**
 * The level of an interval as it is printed: 1 − alpha as a percentage, with at most two decimals.
 *
 * @param alpha above 0 and below 1
 * @example levelText(0.1) // "90 %"
 */
export function levelText(alpha: number): string {
  return `${Number(((1 - alpha) * 100).toFixed(2))} %`
}
