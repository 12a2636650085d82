import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { RouterCurve } from "../../core/report/frontier.ts"
import { bestOf } from "../../wording/verdict/best-of.ts"
import { levelOf } from "../../words/difference.ts"
import { percent } from "../../words/percent.ts"
import { cascadeStages, hasFailed, type MeanCosts, qualityOf, type RoutedSample } from "../frontier/cascade.ts"

/**
 * Best-of by a judge, from a finished run's rows: per sample the answer with the best judge score (the earlier variant on
 * a tie). All answers are paid for, and the slowest is waited for, since all are asked at once; the judge's own cost is not
 * in it. Samples that lack a score of any variant are left out; null when none is left.
 * @experimental
 */
export function bestOfJudge(
  variants: readonly ScoredVariant[],
  metric: AnyMetric,
  judge: AnyMetric,
  meanCosts: MeanCosts = new Map(),
): RouterCurve | null {
  const judged = new Map(complete(variants, judge).map((stages) => [keyOf(stages[0]), stages]))
  const samples = complete(variants, metric, meanCosts).filter((stages) => judged.has(keyOf(stages[0])))
  if (samples.length === 0) return null
  const sign = judge.direction === "higher" ? 1 : -1
  const kept = variants.map(() => 0)
  let cost: number | null = 0
  let time: number | null = 0
  const chosen = samples.map((stages) => {
    const scores = (judged.get(keyOf(stages[0])) ?? []).map(({ row }) => sign * (row.value ?? Number.NEGATIVE_INFINITY))
    const best = scores.indexOf(Math.max(...scores))
    kept[best]! += 1 / samples.length
    const costs = stages.map(({ costUsd }) => costUsd)
    const times = stages.map(({ e2eMs }) => e2eMs)
    cost = costs.reduce((sum, value) => (sum === null || value === null ? null : sum + value), cost)
    time = time === null || times.includes(null) ? null : time + Math.max(...(times as number[]))
    return stages[best] as (typeof stages)[number]
  })
  const n = samples.length
  const names = variants.map(({ name }) => name)
  const point = {
    threshold: 0,
    quality: qualityOf(chosen, metric),
    costUsd: cost === null ? null : cost / n,
    e2eMs: time === null ? null : time / n,
    escalated: 1,
  }
  const shares = names.flatMap((name, i) => (kept[i] ? [`${name} ${percent(kept[i])}`] : []))
  const asked = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
  return {
    kind: "best_of",
    stages: names,
    judge: judge.name,
    points: [point],
    chosen: null,
    sentence: bestOf.sentence(asked, judge.name, levelOf(point.quality, metric), shares.join(", ")),
    method: bestOf.method(n),
  }
}

/** Samples that every variant has a score for. */
function complete(variants: readonly ScoredVariant[], metric: AnyMetric, meanCosts?: MeanCosts): RoutedSample[] {
  return cascadeStages(variants, metric, meanCosts).samples.filter(
    (stages) => !stages.some(({ row }) => hasFailed(row)),
  )
}

function keyOf(stage: RoutedSample[number] | undefined): string {
  return `${stage?.row.repeat}\u0000${stage?.row.sampleId}`
}
