import { amount, withSign } from "./number.ts"

/**
 * A share as per cent: three significant digits at most, as numbers in sentences. What is neither nothing nor all is never "0 %" nor
 * "100 %".
 *
 * @example percent(0.125) // "12.5 %"
 * @example percent(0.99997) // "99.997 %"
 */
export function percent(share: number): string {
  return `${percentage(share)} %`
}

/**
 * The number of {@link percent} without its sign, for a column or a second bound.
 *
 * @example percentage(0.0833) // "8.33"
 */
export function percentage(share: number): string {
  // Less than a hundred-millionth is what arithmetic leaves of nothing, and of all.
  const value = 100 * (Math.abs(share) < 1e-8 ? 0 : Math.abs(1 - Math.abs(share)) < 1e-8 ? Math.sign(share) : share)
  const size = Math.abs(value)
  if (size < 99.95 || size >= 100) return amount(value)
  const text = String(Number((100 - Number((100 - size).toPrecision(1))).toPrecision(12)))
  return value < 0 ? `\u2212${text}` : text
}

/**
 * A share to the whole percentage, for sentences in which a decimal says nothing: "under 1 %" and "over 99 %" in place of none and all.
 *
 * @example roundPercent(0.004) // "under 1 %"
 */
export function roundPercent(share: number): string {
  if (share > 0 && share < 0.01) return "under 1 %"
  if (share > 0.99 && share < 1) return "over 99 %"
  return `${Math.round(100 * share)} %`
}

/**
 * A change as per cent with its sign.
 *
 * @example percentChange(-0.125) // "−12.5 %"
 */
export function percentChange(share: number): string {
  return `${withSign(percentage(share))} %`
}

/**
 * The level of an interval as it is printed: 1 − alpha as a percentage, with at most two decimals.
 *
 * @param alpha above 0 and below 1; where a report states none, 0.05
 * @example levelText(0.1) // "90 %"
 */
export function levelText(alpha = 0.05): string {
  return errorText(1 - alpha)
}

/**
 * An error rate as it is printed, with at most two decimals.
 *
 * @example errorText(0.025) // "2.5 %"
 */
export function errorText(alpha: number): string {
  return `${Number((100 * alpha).toFixed(2))} %`
}
