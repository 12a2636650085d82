import { type AnyMetric, unscored } from "../../core/metric/metric.ts"
import type { RunReport } from "../../core/report/report.ts"
import { runNotes } from "../../wording/judging.ts"

/** Replaces a metric whose config could not be loaded: its stored values, averaged. */
export function storedMetric(record: RunReport["metrics"][number]): AnyMetric {
  const { name, title, signature, direction, range, unit } = record
  return {
    name,
    ...(title !== undefined && { title }),
    signature,
    direction,
    range: [range[0] ?? Number.NEGATIVE_INFINITY, range[1] ?? Number.POSITIVE_INFINITY],
    ...(unit === null ? {} : { unit }),
    aggregation: { kind: "mean" },
    measure: () => unscored("stored", runNotes.stored),
    value: (row) => (typeof row === "number" ? row : null),
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      return { value: rows.reduce((sum, { row }) => sum + Number(row), 0) / rows.length }
    },
  }
}
