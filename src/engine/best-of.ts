import type { AnyMetric } from "../core/metric.ts"
import type { ScoredVariant } from "../core/scored-variant.ts"
import { cascadeStages, qualityOf } from "./cascade.ts"

/** What asking every variant and keeping the answer that a judge likes best scores and costs; means per sample. */
export interface BestOf {
  readonly variants: readonly string[]
  readonly judge: string
  readonly samples: number
  readonly quality: number
  /** All answers are paid for; the judge's own cost is not in it. Null when a cost is unknown. */
  readonly costUsd: number | null
  /** The slowest answer, since all are asked at once; null when a latency is unknown. */
  readonly e2eMs: number | null
  /** Share of the samples in which each variant's answer was kept. */
  readonly kept: readonly number[]
}

/**
 * Best-of by a judge, from a finished run's rows: per sample the answer with the best judge score (the earlier variant on
 * a tie). Samples that lack a score of any variant are left out; null when none is left.
 */
export function bestOfJudge(variants: readonly ScoredVariant[], metric: AnyMetric, judge: AnyMetric): BestOf | null {
  const judged = new Map(cascadeStages(variants, judge).map(({ stages }) => [keyOf(stages[0]), stages]))
  const samples = cascadeStages(variants, metric).filter(({ stages }) => judged.has(keyOf(stages[0])))
  if (samples.length === 0) return null
  const sign = judge.direction === "higher" ? 1 : -1
  const kept = variants.map(() => 0)
  let cost: number | null = 0
  let time: number | null = 0
  const chosen = samples.map(({ stages }) => {
    const scores = (judged.get(keyOf(stages[0])) ?? []).map(({ value }) => sign * (value ?? Number.NEGATIVE_INFINITY))
    const best = scores.indexOf(Math.max(...scores))
    kept[best]! += 1 / samples.length
    const costs = stages.map(({ costUsd }) => costUsd)
    const times = stages.map(({ e2eMs }) => e2eMs)
    cost = costs.reduce((sum, value) => (sum === null || value === null ? null : sum + value), cost)
    time = time === null || times.includes(null) ? null : time + Math.max(...(times as number[]))
    return stages[best] as (typeof stages)[number]
  })
  return {
    variants: variants.map(({ name }) => name),
    judge: judge.name,
    samples: samples.length,
    quality: qualityOf(chosen, metric),
    costUsd: cost === null ? null : cost / samples.length,
    e2eMs: time === null ? null : time / samples.length,
    kept,
  }
}

function keyOf(stage: { readonly entry: { readonly sampleId: string; readonly repeat: number } } | undefined): string {
  return `${stage?.entry.repeat}\u0000${stage?.entry.sampleId}`
}
