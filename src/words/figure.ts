import type { Figure, KnownFigure } from "../core/report/figure.ts"
import { count, fixed, significant } from "./number.ts"
import { percent } from "./percent.ts"
import { quantity, type Unit } from "./quantity.ts"

/**
 * A figure in prose: "0.846 (between 0.821 and 0.868)"; a rate of all or nothing becomes "5 of 5 (at least 57 %)"; an
 * unknown one is "unknown" followed by its reason.
 *
 * @example figureText({ status: "unknown", reason: "no price" }, "usd") // "unknown: no price"
 */
export function figureText(figure: Figure, unit: Unit | null): string {
  if (figure.status === "unknown") return `unknown: ${figure.reason}`
  const extreme = unit === "share" ? extremeRate(figure) : null
  if (extreme) return extreme
  const { low, high } = figureBounds(figure)
  const value = `${aboutMark(figure)}${quantity(figure.value, unit)}${byWords(figure)}`
  if (low === undefined || high === undefined) return value
  if (low === null && high === null) return `${value} (too few answers for an interval)`
  if (low === null) return `${value} (at most ${quantity(high as number, unit)})`
  if (high === null) return `${value} (at least ${quantity(low, unit)})`
  return `${value} (between ${quantity(low, unit)} and ${quantity(high, unit)})`
}

/**
 * A figure in a table cell: "0.846 ±0.024"; half the width of its interval stands behind ±, and all of it, "0.002 (0–0.147)", where ±
 * would reach below 0 or above 1 and the interval does not, or where it lies to one side. "unknown" without a reason, which belongs into a footnote.
 *
 * @example figureCell({ status: "known", value: 1, low: 0.566, high: 1, n: 5, method: "Wilson" }, "share") // "5/5 ≥0.566"
 */
export function figureCell(figure: Figure, unit: Unit | null): string {
  if (figure.status === "unknown") return "unknown"
  if (unit === "share" && isExtreme(figure))
    return figure.value === 1
      ? `${count(figure.n)}/${count(figure.n)} \u2265${fixed(figure.low as number, 3)}`
      : `0/${count(figure.n)} \u2264${fixed(figure.high as number, 3)}`
  const value = `${aboutMark(figure)}${quantity(figure.value, unit)}`
  const spread = spreadText(figure, unit)
  return `${value}${spread === null ? "" : ` ${spread}`}${byWords(figure)}`
}

/** The same without its interval, for want of room; a rate of all or nothing keeps what its sample can bound. */
export function valueCell(figure: Figure, unit: Unit | null): string {
  if (figure.status === "unknown" || (unit === "share" && isExtreme(figure))) return figureCell(figure, unit)
  const { low, high, ...value } = figure
  return figureCell(value, unit)
}

/** The interval's ends, where one that is less than a thousandth of the value is 0: a resampled 2.2e−9 says no more than that. */
function figureBounds({ value, low, high }: KnownFigure): Pick<KnownFigure, "low" | "high"> {
  const end = (bound: number | null) => (bound !== null && Math.abs(bound) < Math.abs(value) / 1000 ? 0 : bound)
  return { ...(low !== undefined && { low: end(low) }), ...(high !== undefined && { high: end(high) }) }
}

/** Before a value that evalkit's own timing error is over 5 % of: `~20.0`, and `~ −4.00`, since mark and sign would read as one. */
export function aboutMark({ isApproximate, value }: Pick<KnownFigure, "isApproximate" | "value">): string {
  if (!isApproximate) return ""
  return value < 0 ? "~ " : "~"
}

/** Behind a value: whose measurement it is, where it is not the client's, and whether log-probabilities were asked for, which slow a local model. */
export function byWords({ by, withLogprobs }: Pick<KnownFigure, "by" | "withLogprobs">): string {
  const words = [...(by === undefined ? [] : [by]), ...(withLogprobs ? ["logprobs"] : [])]
  return words.length === 0 ? "" : ` (${words.join(", ")})`
}

/**
 * The interval in a cell: "±0.024", or "(0–0.147)" where ± would reach below 0, or above the whole of a share, and the interval does
 * not, or where it lies to one side. Null where there
 * is none.
 *
 * @example spreadText({ status: "known", value: 0.98, low: 0.82, high: 1, n: 18, method: "Wilson" }, "share") // "(0.820–1.000)"
 */
export function spreadText(figure: KnownFigure, unit: Unit | null): string | null {
  const { value } = figure
  const { low, high } = figureBounds(figure)
  const half = halfWidth(figure)
  if (half === null || low == null || high == null) return null
  const reachesOut = (low >= 0 && value - half < 0) || (unit === "share" && high <= 1 && value + half > 1)
  if (!reachesOut && !isLopsided(figure)) return `\u00b1${halfText(half, unit)}`
  const bound = (limit: number) => (unit === "share" ? fixed(limit, 3) : quantity(limit, unit))
  return `(${bound(low)}${low < 0 ? " to " : "\u2013"}${bound(high)})`
}

/**
 * Whether an interval that is wide enough to matter reaches more than three times as far to one side of its value as to the other: ±
 * would be wrong on both.
 */
function isLopsided({ value, low, high }: KnownFigure): boolean {
  const [below, above] = [value - (low as number), (high as number) - value]
  return below + above > 0.05 * Math.abs(value) && Math.max(below, above) > 3 * Math.min(below, above)
}

/** Half a width with two significant digits; its unit stands behind the value already, where that is not scaled. */
function halfText(half: number, unit: Unit | null): string {
  if (unit === "share") return fixed(half, 3)
  return unit === "ms" || unit === "bytes" ? quantity(half, unit) : significant(half, 2)
}

/** Half the width of a figure's interval, or null where it has none. */
export function halfWidth(figure: Figure): number | null {
  if (figure.status === "unknown" || figure.low == null || figure.high == null) return null
  return (figure.high - figure.low) / 2
}

/**
 * "5 of 5 (at least 57 %)": a rate of 0 or 1 with what its sample can bound; null for every other rate.
 *
 * @example extremeRate({ status: "known", value: 0, low: 0, high: 0.0037, n: 1000, method: "Wilson" }) // "0 of 1,000 (at most 0.37 %)"
 */
export function extremeRate(figure: KnownFigure): string | null {
  if (!isExtreme(figure)) return null
  return figure.value === 1
    ? `${count(figure.n)} of ${count(figure.n)} (at least ${boundPercent(figure.low as number)})`
    : `0 of ${count(figure.n)} (at most ${boundPercent(figure.high as number)})`
}

/**
 * "47 of 500 (7.14 % to 12 %)" in its two parts: a rate as it stands beside one of 0 or 1. Null where it is no count of its answers.
 *
 * @example countedRate({ status: "known", value: 0.25, low: 0.09, high: 0.53, n: 12, method: "Wilson" }) // ["3 of 12", "(9 % to 53 %)"]
 */
export function countedRate(figure: KnownFigure): readonly [value: string, interval: string | null] | null {
  const { value, n, low, high } = figure
  const counted = Math.round(value * n)
  if (value < 0 || value > 1 || Math.abs(value * n - counted) > 1e-6) return null
  const interval = low == null || high == null ? null : `(${boundPercent(low)} to ${boundPercent(high)})`
  return [`${count(counted)} of ${count(n)}`, interval]
}

/** Per cent without decimals where they say nothing: between 10 and 90. */
function boundPercent(share: number): string {
  return share >= 0.1 && share <= 0.9 ? percent(Math.round(share * 100) / 100) : percent(share)
}

function isExtreme(figure: KnownFigure): boolean {
  return figure.value === 1 ? figure.low != null && figure.low < 1 : figure.value === 0 && figure.high != null
}

/** Shares as points or per cent. */
export function inHundredths(figure: Figure): Figure {
  if (figure.status === "unknown") return figure
  // 0.55 is 55, not 55.00000000000001.
  const scaled = (value: number) => Number((100 * value).toPrecision(12))
  const bound = (value: number | null) => (value === null ? null : scaled(value))
  const { value, low, high } = figure
  return {
    ...figure,
    value: scaled(value),
    ...(low !== undefined && { low: bound(low) }),
    ...(high !== undefined && { high: bound(high) }),
  }
}
