import { amount, count, fixed, significant } from "./number.ts"
import { pNumber } from "./p-value.ts"
import { plainText } from "./text.ts"

/** Units that are scaled for the reader; any other unit is printed behind its number. */
export type Unit =
  | "ms"
  | "bytes"
  | "usd"
  | "share"
  | "count"
  | "tokens/s"
  | "requests/s"
  | "joules"
  | "p"
  | (string & {})

/** Whether values are parts of a whole: a point more is as much at 5 % as at 90 %, so that their axes are linear. */
export function isShare(unit: Unit | null): boolean {
  return unit === "share" || unit === "%" || unit === "points"
}

/**
 * A value with its unit, three significant digits.
 *
 * @example quantity(1234, "ms") // "1.23 s"
 * @example quantity(0.011, "usd") // "$0.0110"
 */
export function quantity(value: number, unit: Unit | null): string {
  switch (unit) {
    case "ms":
      return milliseconds(value)
    case "bytes":
      return bytes(value)
    case "usd":
      return usd(value)
    case "share":
      return fixed(value, 3)
    case "count":
      return count(value)
    case "p":
      return pNumber(value)
    case "joules":
      return `${significant(value)} J`
    case "score":
    case "":
    case null:
      return significant(value)
    // As sentences say them.
    case "points":
      return withUnit(amount(value), unit)
    default:
      return withUnit(Number.isInteger(value) ? count(value) : significant(value), unit)
  }
}

/**
 * A written number with its unit. One point, two points; a metric's own unit may be any word: a "loss" is no plural.
 *
 * @example withUnit("−1", "points") // "−1 point"
 */
export function withUnit(text: string, unit: string): string {
  const name = plainText(unit, 12)
  const isOne = /^[+\u2212]?1$/.test(text) && (name === "points" || name === "tokens")
  return name === "" ? text : `${text} ${isOne ? name.slice(0, -1) : name}`
}

/**
 * Two values of one unit, the unit written once: the form of p50/p99 cells. Times that are far from each other have a unit each.
 * An unknown second value is a question mark.
 *
 * @example quantityPair(1.42, 3.1, "ms") // "1.42 / 3.10 ms"
 */
export function quantityPair(first: number, second: number | null, unit: Unit): string {
  const [scale, name] = timeScale(Math.max(Math.abs(first), Math.abs(second ?? 0)))
  if (unit !== "ms" || (first !== 0 && Math.abs(first) < scale / 10))
    return `${quantity(first, unit)} / ${second === null ? "?" : quantity(second, unit)}`
  return `${significant(first / scale)} / ${second === null ? "?" : significant(second / scale)} ${name}`
}

/**
 * Milliseconds in the unit that reads best: ms, then s from 1,000, then min from 10 minutes.
 *
 * @example milliseconds(0.9) // "0.900 ms"
 */
export function milliseconds(value: number): string {
  const [scale, name] = timeScale(Math.abs(value))
  return `${significant(value / scale)} ${name}`
}

/**
 * How long something took, in words of a clock.
 *
 * @example duration(112_000) // "1 m 52 s"
 */
export function duration(valueMs: number): string {
  if (!Number.isFinite(valueMs)) return "unknown"
  if (valueMs < 9_950) return `${significant(valueMs / 1000, 2)} s`
  const seconds = Math.round(valueMs / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} m`
}

/**
 * Bytes in decimal units.
 *
 * @example bytes(4_100_000) // "4.10 MB"
 */
export function bytes(value: number): string {
  const names = ["B", "kB", "MB", "GB", "TB"]
  let scaled = Math.abs(value)
  let step = 0
  while (scaled >= 999.5 && step < names.length - 1) {
    scaled /= 1000
    step++
  }
  return `${step === 0 ? count(value) : significant(Math.sign(value) * scaled)} ${names[step]}`
}

/**
 * US dollars with three significant digits; whole cents from one dollar on.
 *
 * @example usd(12.345) // "$12.35"
 */
export function usd(value: number): string {
  const magnitude = Math.abs(value)
  const text = magnitude >= 1 ? fixed(magnitude, magnitude >= 1000 ? 0 : 2) : significant(magnitude)
  return `${value < 0 ? "\u2212" : ""}$${text}`
}

/** A time in words: milliseconds, or seconds from one on. */
export function elapsed(valueMs: number): string {
  return valueMs < 1000 ? `${amount(valueMs)} ms` : `${amount(valueMs / 1000)} s`
}

function timeScale(magnitudeMs: number): [number, string] {
  if (magnitudeMs >= 600_000) return [60_000, "min"]
  return magnitudeMs >= 999.5 ? [1000, "s"] : [1, "ms"]
}
