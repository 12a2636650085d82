import type { Figure } from "../../core/figure.ts"
import type { AnyMetric } from "../../core/metric.ts"
import type { MetricRow } from "../../core/scored-variant.ts"
import { qualityFigure } from "../interval.ts"
import { orderMetrics } from "../order-metrics.ts"

/** What the metrics found in one answer. */
export interface AnswerScores {
  /** Quality by the primary metric, 0..1 (1 is correct); null when it could not be scored. */
  readonly correct: number | null
  /** One row for each metric, in {@link orderMetrics}' order; absent where only the primary one was asked for. */
  readonly rows?: readonly MetricRow[]
  /** What judging this answer cost; null when a judge's price is unknown; absent when no model was asked. */
  readonly judgeUsd?: number | null
}

/** A metric over the answers of one level of load. */
export interface LevelMetric {
  readonly name: string
  readonly direction: AnyMetric["direction"]
  readonly figure: Figure
  readonly scored: number
  /** Answers that it could not score; they stay in the denominator of correct goodput. */
  readonly unscored: number
}

/** Collects the rows of every metric at one level, so that quality can be compared between loads. */
export function createLevelQuality(metrics: readonly AnyMetric[]): {
  add(rows: readonly MetricRow[]): void
  figures(): readonly LevelMetric[]
} {
  const columns = orderMetrics(metrics).map((metric) => ({ metric, rows: [] as MetricRow[] }))
  return {
    add(rows) {
      for (const [i, { rows: column }] of columns.entries()) {
        const row = rows[i]
        if (row) column.push(row)
      }
    },
    figures: () =>
      columns.map(({ metric, rows }) => {
        const scored = rows.filter(({ measured }) => measured.status === "scored").length
        const { figure } = qualityFigure(metric, rows, { seed: 1 })
        return { name: metric.name, direction: metric.direction, figure, scored, unscored: rows.length - scored }
      }),
  }
}
