import { type Measured, scored } from "../../core/metric/metric.ts"
import type { MetricRow } from "../../core/metric/scored-variant.ts"
import type { StoredRow } from "../../core/run/run-store.ts"
import type { SampleSplit } from "../../core/sample.ts"

/** Makes what is kept in memory of a row; `place` is its place in its list. */
export type SharedRows = (row: StoredRow, place: number, split: SampleSplit | undefined) => MetricRow

/** Values that many rows have: right and wrong. */
const usual = new Map<unknown, Measured<unknown>>([0, 1].map((value) => [value, scored<unknown>(value)]))

/**
 * Rows of several metrics over the same answers: a sample's id is one text for all of them, and a score of 0 or 1 one object. Of a
 * million answers that is half a gigabyte.
 */
export function shareRows(): SharedRows {
  const ids: string[] = []
  return ({ sampleId, repeat, measured, value }, place, split) => {
    const known = ids[place]
    if (known === undefined) ids[place] = sampleId
    const row = {
      sampleId: known === sampleId ? known : sampleId,
      repeat,
      measured: measured.status === "scored" ? (usual.get(measured.row) ?? measured) : measured,
      value,
    }
    return split ? { ...row, ...split } : row
  }
}
