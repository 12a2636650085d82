import { whole } from "./counted.ts"

/**
 * A number for prose: three significant digits, no trailing zeros, thousands separated; one rule for sentences, and for what stands
 * alone beside them.
 *
 * @example amount(-13.68) // "−13.7"
 */
export function amount(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "unknown"
  // 12.25 is 12.3, also where a factor of 100 has made it 12.249999999999998.
  const size = Number(Math.abs(value).toPrecision(12))
  const text = size >= 99.95 ? whole(size) : shortened(size)
  return value < 0 && text !== "0" ? `−${text}` : text
}

/** A number with all its digits, thousands separated: a limit is quoted as it was given. */
export function exactly(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 12 }).replace("-", "−")
}

/** Without trailing zeros: two decimals below 10, but as many as two significant digits need. */
function shortened(size: number): string {
  if (size >= 10) return String(Number(size.toFixed(1)))
  return String(Number(size >= 0.1 ? size.toFixed(2) : size.toPrecision(2)))
}
