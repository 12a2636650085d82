import { amount } from "./number.ts"
import { percent } from "./percent.ts"

/** What the unit of a metric's values is read from, in the config or in a stored report. */
export interface UnitAndRange {
  readonly unit?: string | null | undefined
  readonly range: readonly [number | null, number | null]
}

/** How a metric's differences read: rates in points of a hundred, everything else in its own unit. */
export interface Wording {
  readonly scale: number
  /** `points`, `ms`, `USD` … */
  readonly unit: string
}

/** Rates (unit `share`, or no unit and a range of 0..1) are given in points; others in their unit. */
export function wordingOf({ unit, range }: UnitAndRange): Wording {
  const share = unit === "share" || (unit == null && range[0] === 0 && range[1] === 1)
  return share ? { scale: 100, unit: "points" } : { scale: 1, unit: unit === "score" ? "" : (unit ?? "") }
}

/** A level of a metric: `84.5 %` for rates, `71.2` for scores, `12 ms`. */
export function levelOf(value: number, metric: UnitAndRange, print = amount): string {
  const { unit } = wordingOf(metric)
  if (unit === "points") return print === amount ? percent(value) : `${print(100 * value)} %`
  return `${print(value)}${unit ? ` ${unit}` : ""}`
}

/** A difference with its sign and unit, singular for 1: `−0.1 points`, `+1 point`, `+12.4 ms`. */
export function signed(value: number, { scale, unit }: Wording): string {
  const text = signedNumber(value, { scale, unit })
  const name = unitOf(text.replace(/^[−+]/, ""), unit)
  return name ? `${text} ${name}` : text
}

/** A difference with its sign, without its unit: for intervals. */
export function signedNumber(value: number, { scale }: Wording): string {
  const text = amount(Math.abs(value * scale))
  return Number(text.replaceAll(",", "")) === 0 ? "0" : `${value < 0 ? "−" : "+"}${text}`
}

/** `between −0.9 and +0.7`. */
export function between(low: number, high: number, wording: Wording): string {
  return `between ${signedNumber(low, wording)} and ${signedNumber(high, wording)}`
}

/** Everything that is said of one metric's or figure's numbers, in its wording. */
export interface Phrasing {
  /** A level: `84.5`. */
  level(value: number | null): string
  /** A difference with its unit: `−0.1 points`. */
  difference(value: number): string
  /** `−0.9 to +0.7`; "unknown" where a bound is. */
  range(low: number | null, high: number | null): string
  /** `between −0.9 and +0.7`. */
  between(low: number, high: number): string
  /** A bound with its sign, without a unit. */
  bound(value: number | null): string
  /** `1 point`. */
  size(value: number): string
}

/** The phrases of tables, where a number stands alone in its cell. */
export function phrasing(wording: Wording): Phrasing {
  const bound = (value: number | null) => (value === null ? "unknown" : signedNumber(value, wording))
  return {
    level: (value) => (value === null ? "unknown" : amount(value * wording.scale)),
    difference: (value) => signed(value, wording),
    range: (low, high) => (low === null || high === null ? "unknown" : `${bound(low)} to ${bound(high)}`),
    between: (low, high) => between(low, high, wording),
    bound,
    size: (value) => sized(value, wording),
  }
}

/** A size with its unit, singular for 1: `1 point`, `2.5 ms`. */
export function sized(value: number, { scale, unit }: Wording, print = amount): string {
  const text = print(Math.abs(value * scale))
  const name = unitOf(text, unit)
  return name ? `${text} ${name}` : text
}

function unitOf(size: string, unit: string): string {
  return unit === "points" && size === "1" ? "point" : unit
}
