import type { AnyMetric } from "../../core/metric/metric.ts"
import { stagePrefix } from "../../core/report/tracked-figures.ts"
import { levelOf, type Wording, wordingOf } from "../difference.ts"
import { amount } from "../number.ts"

/** What the unit of a figure is read from, where it is a metric. */
export type MeasuredMetric = Pick<AnyMetric, "name" | "unit" | "range">

/** Figures that are shares of a whole. */
const shares: ReadonlySet<string> = new Set([
  ...["availability", "attemptFailures", "stopShare", "sloAttainment", "correctSloAttainment"],
])

/** How numbers are written; limits are quoted with all their digits. */
export type NumberWords = (value: number) => string

/**
 * A value of a figure in the unit that people read: rates as per cent, the cost of one request as that of 1,000, bytes as MB.
 *
 * @example figureAmount("ttftMs.p95", 812.4, []) // "812 ms"
 */
export function figureAmount(
  figure: string,
  value: number,
  metrics: readonly MeasuredMetric[],
  print: NumberWords = amount,
): string {
  const metric = metrics.find(({ name }) => name === figure)
  if (metric) return levelOf(value, metric, print)
  if (shares.has(figure)) return levelOf(value, { unit: "share", range: [0, 1] }, print)
  if (figure === "costUsd") return `${print(value * 1000)} USD per 1,000`
  if (/Bytes(?:\.|$)/.test(figure)) return inBytes(value, print)
  const { unit } = figureWording(figure, metrics)
  return unit === "" ? print(value) : `${print(value)} ${unit}`
}

/** Whether a figure's values are shares of a whole, which read as per cent. */
export function isShareFigure(figure: string, metrics: readonly MeasuredMetric[]): boolean {
  return figureWording(figure, metrics).unit === "points"
}

/** How differences of a figure read: rates in points, what has a unit in its name in this. */
export function figureWording(figure: string, metrics: readonly MeasuredMetric[]): Wording {
  const metric = metrics.find(({ name }) => name === figure)
  if (metric) return wordingOf(metric)
  if (shares.has(figure)) return { scale: 100, unit: "points" }
  const [, ending = ""] = figure.startsWith(stagePrefix) ? ["", "Ms"] : (/(Ms|Usd|Joules)(?:\.|$)/.exec(figure) ?? [])
  return { scale: 1, unit: { Ms: "ms", Usd: "USD", Joules: "J" }[ending] ?? "" }
}

/** Bytes in the decimal unit that reads best. */
function inBytes(value: number, print: NumberWords): string {
  const step = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)))
  return `${print(value / 1000 ** step)} ${["bytes", "kB", "MB", "GB", "TB"][step]}`
}
