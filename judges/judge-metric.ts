import type { Metric } from "../src/core/metric/metric.ts"
import type { GenerationParameters, Provider } from "../src/core/provider.ts"
import type { PanelRow } from "../src/core/report/section-judge.ts"
import { winRateSection } from "./win-rate-section.ts"

/** What a judge or a panel states about itself as a metric. */
export interface JudgeMetricOptions {
  readonly name: string
  readonly range: readonly [number, number]
  /** Default `higher`. */
  readonly direction?: Metric["direction"] | undefined
  readonly signature: string
  /** One provider for each call. */
  readonly asks: readonly Provider[]
  readonly asksWith: readonly GenerationParameters[]
  readonly measure: Metric<PanelRow>["measure"]
  /** Name of the metric that is taken as the truth: measured first, and kept in the row. */
  readonly truth?: string | undefined
  readonly note?: string | undefined
}

/** A metric whose value is the score of a judge or a panel, and whose rows keep every member's verdict. */
export function judgeMetric(options: JudgeMetricOptions): Metric<PanelRow> {
  const { name, range, direction = "higher", signature, asks, asksWith, measure, truth, note } = options
  return {
    name,
    signature,
    range,
    direction,
    ...(range[0] === 0 && range[1] === 1 && { unit: "share" }),
    aggregation: { kind: "mean" },
    ...(truth !== undefined && { dependsOn: [truth] }),
    ...(note !== undefined && { note }),
    asks,
    asksWith,
    measure,
    value: (row) => row.score,
    section: (variants) => winRateSection(name, variants),
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "no judge gave a verdict" }
      const byJudge = new Map<string, number[]>()
      let sum = 0
      let escalated = 0
      for (const { row } of rows) {
        sum += row.score
        escalated += Number(row.escalated)
        for (const { judge, score } of row.members) {
          const scores = byJudge.get(judge) ?? []
          if (score !== null) scores.push(score)
          byJudge.set(judge, scores)
        }
      }
      const judges = [...byJudge].map(([judge, scores]) => ({
        judge,
        scored: scores.length,
        mean: scores.length === 0 ? null : scores.reduce((total, score) => total + score, 0) / scores.length,
      }))
      return { value: sum / rows.length, details: { judges, escalated } }
    },
  }
}
