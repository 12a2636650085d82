import type { AnyMetric } from "../../../../core/metric/metric.ts"
import type { MetricRow, ScoredVariant } from "../../../../core/metric/scored-variant.ts"
import type { MissingRule } from "../../../../core/report/comparison.ts"
import { countFailures, failedAnswer } from "../../../compare/count-failures.ts"
import { gapOf, worstValue } from "../../../compare/missing-rows.ts"
import { pseudoValues } from "../../../compare/pseudo-values.ts"
import { rowsOf } from "../../../compare/rows-of.ts"
import type { JointRows } from "../../../frontier/joint-rows.ts"
import { rowsBehind } from "../../../score/columns/metric-rows.ts"
import { entryOf } from "../../../score/entries.ts"

/** One number per row whose mean is the variant's figure, failures counted as the verdict counts them; NaN where nothing was asked. */
export function qualityColumn(
  metric: AnyMetric,
  variant: ScoredVariant,
  { rows, missing }: { readonly rows: JointRows; readonly missing: MissingRule },
): Float64Array {
  const own = rowsOf(variant, metric.name)
  const { worst } = worstValue(metric, own)
  const counted: { readonly row: MetricRow; readonly place: number; readonly failed: boolean }[] = []
  own.forEach((row, place) => {
    const gap = gapOf(row, "not_asked")
    if (gap === null) counted.push({ row, place, failed: false })
    else if (gap !== "not_asked" && missing === "worst" && worst !== null) counted.push({ row, place, failed: true })
  })
  const entries = counted.map(({ row, failed }) => {
    const { sampleId, repeat } = row
    return failed
      ? { ...entryOf({ ...row, measured: { status: "scored", row: failedAnswer } }), sampleId, repeat }
      : entryOf(row)
  })
  const column = new Float64Array(rows.size).fill(Number.NaN)
  const used = worst === null ? metric : countFailures(metric, worst)
  const figure = entries.length === 0 ? null : used.summarise(entries).value
  if (figure === null) return column
  const values = pseudoValues(used, entries, figure)
  const positions = rows.positions(rowsBehind(own).answers)
  counted.forEach(({ place }, i) => {
    column[positions[place] as number] = values[i] as number
  })
  return column
}
