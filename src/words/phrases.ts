import type { AnyMetric } from "../core/metric/metric.ts"
import { amount } from "./amount.ts"

export { amount } from "./amount.ts"
export { counted, whole } from "./counted.ts"
export { pValue } from "./p-value.ts"
export { percent } from "./percent.ts"

/** How a metric's differences read: rates in points of a hundred, everything else in its own unit. */
export interface Wording {
  readonly scale: number
  /** `points`, `ms`, `USD` … */
  readonly unit: string
}

/** Rates (unit `share`, or no unit and a range of 0..1) are given in points; others in their unit. */
export function wordingOf(metric: Pick<AnyMetric, "unit" | "range">): Wording {
  const share = metric.unit === "share" || (metric.unit === undefined && metric.range[0] === 0 && metric.range[1] === 1)
  return share ? { scale: 100, unit: "points" } : { scale: 1, unit: metric.unit === "score" ? "" : (metric.unit ?? "") }
}

/** A level of a metric: `84.5 %` for rates, `71.2` for scores, `12 ms`. */
export function levelOf(value: number, metric: Pick<AnyMetric, "unit" | "range">, print = amount): string {
  const { scale, unit } = wordingOf(metric)
  return `${print(value * scale)}${unit === "points" ? " %" : unit ? ` ${unit}` : ""}`
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

/** A time in words: milliseconds, or seconds from one on. */
export function elapsed(valueMs: number): string {
  return valueMs < 1000 ? `${amount(valueMs)} ms` : `${amount(valueMs / 1000)} s`
}

/** What a metric's figure is called in a sentence. */
export function spoken({ name, title }: Pick<AnyMetric, "name" | "title">): string {
  return title ?? readable(name)
}

/** A metric's name as people read it: `exact_match` and `exactMatch` are "exact match". */
export function readable(name: string): string {
  return name
    .replace(/_/g, " ")
    .replace(/([a-z0-9])([A-Z])(?=[a-z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`
}

/** With a capital: how a sentence begins. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
