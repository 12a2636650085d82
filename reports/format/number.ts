export { counted as plural } from "../../src/words/counted.ts"

/** The minus sign of prose (U+2212); terminals without Unicode get a hyphen in its place. */
const minus = "\u2212"

/** Thousands separated by commas: 3,068. Independent of the machine's locale. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",")
}

/**
 * A number with three significant digits (or `digits`), thousands separated and never in exponent form unless it is
 * below 0.0000001. Integers of four or more digits keep all of them. Not finite: "unknown".
 *
 * @example significant(0.84567) // "0.846"
 * @example significant(3068.2) // "3,068"
 */
export function significant(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "unknown"
  if (value === 0) return "0"
  const magnitude = Math.abs(value)
  const sign = value < 0 ? minus : ""
  if (magnitude < 1e-7) return `${sign}${magnitude.toExponential(Math.min(1, digits - 1)).replace("e-", "e\u2212")}`
  const exponent = Math.floor(Math.log10(Number(magnitude.toPrecision(digits))))
  return sign + fixedMagnitude(magnitude, Math.max(0, digits - 1 - exponent))
}

/**
 * A number with a fixed count of decimals and grouped thousands.
 *
 * @example fixed(-12345.678, 1) // "−12,345.7"
 */
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return "unknown"
  const text = fixedMagnitude(Math.abs(value), decimals)
  return value < 0 && /[1-9]/.test(text) ? minus + text : text
}

/**
 * A whole number with grouped thousands.
 *
 * @example count(5400) // "5,400"
 */
export function count(value: number): string {
  return fixed(value, 0)
}

/**
 * A formatted number with its sign always shown; nothing in front of a zero.
 *
 * @example signed("0.7") // "+0.7"
 */
export function signed(text: string): string {
  return text.startsWith(minus) || !/[1-9]/.test(text) ? text : `+${text}`
}

/**
 * A p-value as readers expect it in sentences and tables, two significant digits without trailing zeros; JSON keeps its digits.
 *
 * @example pValue(0.000000231) // "< 0.001"
 * @example pValue(0.0162) // "0.016"
 */
export function pValue(p: number): string {
  if (!Number.isFinite(p)) return "unknown"
  return p < 0.001 ? "< 0.001" : String(Number(p.toPrecision(2)))
}

function fixedMagnitude(magnitude: number, decimals: number): string {
  const [whole = "0", part] = magnitude.toFixed(Math.min(20, decimals)).split(".")
  return grouped(whole) + (part ? `.${part}` : "")
}
