import type { AnyMetric, MetricRow } from "../core/metric/metric.ts"
import { qualityFigure } from "../estimate/interval.ts"
import type { LevelMetric } from "../perf/bench/bench-level.ts"
import { orderMetrics } from "../score/order-metrics.ts"
import type { JudgeCall } from "./judge-use.ts"

/** What the metrics found in one answer. @experimental */
export interface AnswerScores {
  /** One row for each metric, in {@link orderMetrics}' order. */
  readonly rows: readonly MetricRow[]
  /** Models that were asked about it (judges, claim splitters); absent when none was. */
  readonly judgeCalls?: readonly JudgeCall[]
}

/** The rows of every metric at one level, so that quality can be compared between loads. */
export interface LevelQuality {
  /** @returns how good the answer is by the primary metric, 0 (worst) to 1 (best); null when that is not known */
  add(rows: readonly MetricRow[]): number | null
  figures(): readonly LevelMetric[]
}

/** @param primary name of the metric that says whether an answer is correct */
export function createLevelQuality(metrics: readonly AnyMetric[], primary: string | undefined): LevelQuality {
  const columns = orderMetrics(metrics).map((metric) => ({ metric, rows: [] as MetricRow[] }))
  return {
    add(rows) {
      let quality: number | null = null
      for (const [i, { metric, rows: column }] of columns.entries()) {
        const row = rows[i]
        if (!row) continue
        column.push(row)
        if (metric.name === primary && row.value !== null) quality = shareOfRange(row.value, metric)
      }
      return quality
    },
    figures: () =>
      columns.map(({ metric, rows }) => {
        const scored = rows.filter(({ measured }) => measured.status === "scored").length
        const { figure } = qualityFigure(metric, rows, { seed: 1 })
        return { name: metric.name, direction: metric.direction, figure, scored, unscored: rows.length - scored }
      }),
  }
}

/**
 * Where a value lies between the worst (0) and the best (1) that its metric can give; null where it has no bounds.
 *
 * @example shareOfRange(4, { range: [1, 5], direction: "higher" }) // 0.75
 */
export function shareOfRange(
  value: number,
  { range: [low, high], direction }: Pick<AnyMetric, "range" | "direction">,
): number | null {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null
  const share = (value - low) / (high - low)
  return direction === "higher" ? share : 1 - share
}
