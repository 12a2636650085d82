import type { AnyMetric, MetricRow } from "../core/metric/metric.ts"
import type { MissingRule } from "../core/report/comparison.ts"
import { type MetricRows, rowsBehind } from "../rows/columns/metric-rows.ts"
import { countFailures, failedAnswer } from "../rows/count-failures.ts"
import { gapOfMeasured, worstValue } from "../rows/missing-rows.ts"

/** A metric over what was asked of one variant: its rows, with each answer that failed counted as the worst value. */
export interface CountedQuality {
  /** Takes {@link failedAnswer} among its rows; the metric itself where none failed. */
  readonly metric: AnyMetric
  /** The rows, of which those that failed are scored. */
  readonly rows: MetricRows
  /** Answers that failed for good. */
  readonly failed: number
  /** The value that a failure counts with; null where none is counted. */
  readonly countedAs: number | null
}

/**
 * What each failure of a variant counts as; null where none counts: no answer has a score (that says that nothing was measured, not
 * that all is bad), `missing` says that only answers count, or the metric's range has no worst end.
 */
export function failureValue(
  metric: AnyMetric,
  {
    scored,
    failed,
    missing = "worst",
  }: { readonly scored: number; readonly failed: number; readonly missing?: MissingRule },
): number | null {
  if (failed === 0 || scored === 0 || missing !== "worst") return null
  const { worst, from } = worstValue(metric)
  return from === "range" ? worst : null
}

/** Counts the failures of one variant; see {@link failureValue}. */
export function countedQuality(metric: AnyMetric, list: readonly MetricRow[], missing?: MissingRule): CountedQuality {
  const rows = rowsBehind(list)
  const failed = failedPlaces(rows)
  const worst = failureValue(metric, { scored: rows.scored, failed: failed.length, ...(missing && { missing }) })
  if (worst === null) return { metric, rows, failed: failed.length, countedAs: null }
  const existing = countedBy.get(rows) ?? new Map<AnyMetric, CountedQuality>()
  const made = existing.get(metric) ?? {
    metric: countFailures(metric, worst),
    rows: withFailures(rows, failed, worst),
    failed: failed.length,
    countedAs: worst,
  }
  countedBy.set(rows, existing.set(metric, made))
  return made
}

const countedBy = new WeakMap<MetricRows, Map<AnyMetric, CountedQuality>>()

function failedPlaces(rows: MetricRows): number[] {
  const positions: number[] = []
  if (rows.scored === rows.length) return positions
  for (let index = 0; index < rows.length; index++)
    if (!rows.isScored(index) && gapOfMeasured(rows.measured(index)) === "failed") positions.push(index)
  return positions
}

function withFailures(rows: MetricRows, failed: readonly number[], worst: number): MetricRows {
  const positions = new Set(failed)
  const values = Float64Array.from(rows.values)
  for (const index of failed) values[index] = worst
  const measured = { status: "scored", row: failedAnswer } as const
  return {
    answers: rows.answers,
    length: rows.length,
    values,
    scored: rows.scored + failed.length,
    isScored: (index) => rows.isScored(index) || positions.has(index),
    measured: (index) => (positions.has(index) ? measured : rows.measured(index)),
    row: (index) => (positions.has(index) ? failedAnswer : rows.row(index)),
    at: (index) => (positions.has(index) ? { ...rows.at(index), measured, value: worst } : rows.at(index)),
    hasObjects: true,
  }
}
