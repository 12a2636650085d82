import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { type Figure, unknown } from "../../../core/report/figure.ts"
import { qualityFigure } from "../../../estimate/interval.ts"
import { meanCost } from "../../../perf/distribution.ts"
import { seriesPercentile } from "../../../perf/percentile.ts"
import { type FactColumns, type FactFigure, factsBehind } from "../../../rows/columns/fact-columns.ts"
import { rowsBehind, viewOf } from "../../../rows/columns/metric-rows.ts"
import { partRows } from "../../../rows/columns/part-rows.ts"
import { rowsOf } from "../../../rows/rows-of.ts"
import type { Split } from "./slice-changes.ts"

/** The figures of one variant, a list a slice: each metric's mean, the median times (to the first token where it is asked for), the mean cost. */
export function sliceLevels(
  variant: ScoredVariant,
  metrics: readonly AnyMetric[],
  split: Split,
  { seed, alpha, withFirstToken }: { readonly seed: number; readonly alpha: number; readonly withFirstToken?: boolean },
): readonly Figure[][] {
  const quality = metrics.map((metric) => {
    const rows = rowsBehind(rowsOf(variant, metric.name))
    return split(rows.answers.ids).map(
      (positions) => qualityFigure(metric, viewOf(partRows(rows, positions)), { seed, alpha }).figure,
    )
  })
  const facts = factsBehind(variant.answers)
  return split(facts.answers.ids).map((answers, index) => [
    ...quality.map((figures) => figures[index] ?? unknown("nothing was scored")),
    ...(withFirstToken ? [medianTime(figureAt(facts, "ttftMs", answers), alpha)] : []),
    medianTime(figureAt(facts, "e2eMs", answers), alpha),
    meanCost(figureAt(facts, "costUsd", answers), answers.length, alpha),
  ])
}

/** The known figures of these answers. */
function figureAt(facts: FactColumns, name: FactFigure, answers: Int32Array): Float64Array {
  const values = facts.figure(name)
  if (!values) return new Float64Array(0)
  return Float64Array.from(answers, (index) => values[index] as number).filter((value) => !Number.isNaN(value))
}

function medianTime(times: Float64Array, alpha: number): Figure {
  return times.length === 0 ? unknown("nothing was timed") : seriesPercentile(times, 50, "", alpha)
}
