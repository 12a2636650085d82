import type { AnyMetric, MetricRow } from "../core/metric/metric.ts"
import type { MissingRule } from "../core/report/comparison.ts"
import type { ConstantAnswer, ConstantRows } from "../core/report/constant-answer.ts"
import type { QualityFigure } from "../core/report/report.ts"
import { countFailures } from "../rows/count-failures.ts"
import { type AbsentRows, countRows } from "../rows/missing-rows.ts"
import { pairedEstimator } from "./paired-estimate.ts"

/** Options of {@link besideConstant}. */
export interface ConstantOptions {
  readonly alpha: number
  readonly seed: number | string
  readonly missing?: MissingRule
  readonly absentRows?: AbsentRows
}

/** A variant's rows of a metric against those of a constant answer, as two variants are paired; null where there is nothing to pair. */
export function besideConstant(
  metric: AnyMetric,
  constant: ConstantRows,
  rows: readonly MetricRow[],
  { alpha, seed, missing = "worst", absentRows = "not_asked" }: ConstantOptions,
): ConstantAnswer | null {
  const { complete, all, countedAs } = countRows(metric, constant.rows, rows, { missing, absentRows })
  if (complete.pairs.length === 0) return null
  const counted = countedAs === null ? metric : countFailures(metric, countedAs)
  const estimate = pairedEstimator(counted, all, seed)?.at(alpha)
  if (!estimate) return null
  const { baseline, candidate, lowBound } = estimate
  return { answer: constant.answer, value: baseline, difference: candidate - baseline, lowBound, pairs: all.length }
}

/** The constant answers of a report's figures, by metric; null where it has none. */
export function constantAnswersOf(quality: readonly QualityFigure[] = []): ReadonlyMap<string, ConstantAnswer> | null {
  const entries = quality.flatMap(({ metric, constantAnswer }): [string, ConstantAnswer][] =>
    constantAnswer ? [[metric, constantAnswer]] : [],
  )
  return entries.length === 0 ? null : new Map(entries)
}
