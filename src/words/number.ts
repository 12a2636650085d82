/** The minus sign of prose (U+2212); terminals without Unicode get a hyphen in its place. */
const minus = "\u2212"

/**
 * A number in a sentence: three significant digits, no trailing zeros, thousands separated; one rule for sentences, and for what stands
 * alone beside them.
 *
 * @example amount(-13.68) // "−13.7"
 */
export function amount(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? `${minus}∞` : "unknown"
  // 12.25 is 12.3, also where a factor of 100 has made it 12.249999999999998.
  const size = Number(Math.abs(value).toPrecision(12))
  const text = size >= 99.95 ? count(size) : withoutZeros(size)
  return value < 0 && text !== "0" ? minus + text : text
}

/** Two decimals below 10, but as many as two significant digits need. */
function withoutZeros(size: number): string {
  if (size >= 10) return String(Number(size.toFixed(1)))
  return String(Number(size >= 0.1 ? size.toFixed(2) : size.toPrecision(2)))
}

/** A number with all its digits, thousands separated: a limit is quoted as it was given. */
export function exactly(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 12 }).replace("-", minus)
}

/**
 * A number in a table: three significant digits (or `digits`), thousands separated and never in exponent form unless it is
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
  if (magnitude < 1e-7) return `${sign}${magnitude.toExponential(Math.min(1, digits - 1)).replace("e-", `e${minus}`)}`
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
 * A count with its noun.
 *
 * @example counted(1, "answer") // "1 answer"
 * @example counted(2310, "answer") // "2,310 answers"
 */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`
}

/**
 * A formatted number with its sign always shown; nothing in front of a zero.
 *
 * @example withSign("0.7") // "+0.7"
 */
export function withSign(text: string): string {
  return text.startsWith(minus) || !/[1-9]/.test(text) ? text : `+${text}`
}

/** Thousands separated by commas, independent of the machine's locale. From 10²¹ on a number has no digits of its own: `1e+21`. */
function fixedMagnitude(magnitude: number, decimals: number): string {
  const [whole = "0", part] = magnitude.toFixed(Math.min(20, decimals)).split(".")
  const grouped = /e/.test(whole) ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",")
  return grouped + (part ? `.${part}` : "")
}
