import type { RunReport } from "../core/report/report.ts"
import { signed, wordingOf } from "./difference.ts"
import { spacedName } from "./names.ts"
import { plainText } from "./text.ts"

/** A metric as a report lists it. */
export type ReportMetric = RunReport["metrics"][number]

/**
 * The unit that a metric's values are printed with: `share` for rates and for everything between 0 and 1.
 *
 * @example metricUnit({ name: "exact_match", unit: null, range: [0, 1], … }) // "share"
 */
export function metricUnit(metric: Pick<ReportMetric, "unit" | "range">): string {
  if (metric.unit) return metric.unit
  return metric.range[0] === 0 && metric.range[1] === 1 ? "share" : "score"
}

/** Whether a metric lies between fixed ends, as one from 0 to 100 does: its axis is linear, however far off one variant is. */
export function isBounded({ range }: Pick<ReportMetric, "range">): boolean {
  return range.every((end) => end !== null && Number.isFinite(end))
}

/**
 * A difference of two values of a metric, as the verdict's sentence says it: points for rates (hundredths), the metric's own unit
 * otherwise, cut and made harmless.
 *
 * @example metricDifference(-0.031, { unit: "share", range: [0, 1] }) // "−3.1 points"
 */
export function metricDifference(difference: number, metric: Pick<ReportMetric, "unit" | "range">): string {
  const { scale, unit } = wordingOf(metric)
  return signed(difference, { scale, unit: plainText(unit, 12) })
}

/** What a metric's figure is called: its title where it has one, else its name as people read it. */
export function metricTitle({ name, title }: Pick<ReportMetric, "name" | "title">, limit = 40): string {
  return title === undefined ? readableName(name, limit) : plainText(title, limit)
}

/** What one of these metrics is called, by its name: its title where it has one, else the name as people read it. */
export function metricCalled(
  metrics: readonly Pick<ReportMetric, "name" | "title">[],
  name: string,
  limit = 40,
): string {
  return metricTitle(metrics.find((metric) => metric.name === name) ?? { name }, limit)
}

/** A name as people read it, harmless and on one line: `exact_match` and `exactMatch` → "exact match". */
export function readableName(name: string, limit = 40): string {
  return plainText(spacedName(name), limit)
}
