import type { MetricRow, RowEntry } from "../core/metric/metric.ts"
import { splitOf } from "../core/sample.ts"
import type { MetricRows } from "./columns/metric-rows.ts"

/** What a summary receives of a scored row. */
export function entryOf(row: MetricRow): RowEntry<unknown> {
  const { sampleId, repeat } = row
  return {
    row: row.measured.status === "scored" ? row.measured.row : null,
    sampleId,
    repeat,
    ...splitOf(row),
  }
}

/** The unit that is resampled as one: the cluster when there is one, else the sample with its repeats. */
export function unitKey(entry: { readonly sampleId: string; readonly cluster?: string }): string {
  return entry.cluster === undefined ? `s${entry.sampleId}` : `c${entry.cluster}`
}

/** The most frequent reason among unscored rows, for "unknown because …". */
export function mainReason(rows: MetricRows): string | null {
  const counts = new Map<string, number>()
  for (let index = 0; index < rows.length; index++) {
    const measured = rows.measured(index)
    if (measured.status === "unscored") counts.set(measured.reason, (counts.get(measured.reason) ?? 0) + 1)
  }
  let best: string | null = null
  for (const [reason, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = reason
  return best
}
