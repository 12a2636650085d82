import type { RowEntry } from "../../core/metric/metric.ts"
import type { MetricRow } from "../../core/metric/scored-variant.ts"
import { splitOf } from "../../core/sample.ts"
import { byText } from "../../stats/order.ts"

/** Scored rows in an order that does not depend on how they were finished: by sample id, then repeat. */
export function scoredEntries(rows: readonly MetricRow[]): { entries: RowEntry<unknown>[]; values: (number | null)[] } {
  const sorted = rows
    .filter((row) => row.measured.status === "scored")
    .sort((a, b) => byText(a.sampleId, b.sampleId) || a.repeat - b.repeat)
  return { entries: sorted.map(entryOf), values: sorted.map((row) => row.value) }
}

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
export function mainReason(rows: readonly MetricRow[]): string | null {
  const counts = new Map<string, number>()
  for (const row of rows)
    if (row.measured.status === "unscored") counts.set(row.measured.reason, (counts.get(row.measured.reason) ?? 0) + 1)
  let best: string | null = null
  for (const [reason, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = reason
  return best
}
