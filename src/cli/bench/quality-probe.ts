import type { Answer, Generation } from "../../core/generation.ts"
import type { AnyMetric } from "../../core/metric.ts"
import type { ModelCaller } from "../../core/metric-tools.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import { sum } from "../../cost/ratio.ts"
import type { AnswerScores } from "../../engine/bench/level-quality.ts"
import type { OfflineTools } from "../../engine/metric-tools-offline.ts"
import { orderMetrics } from "../../engine/order-metrics.ts"
import { scoreAnswer } from "../../engine/score.ts"

/**
 * Quality of an answer under load by every metric of the config, judges included: they are asked after the load has
 * ended, so that they put none on the endpoint that is being measured.
 *
 * @param primary name of the metric that says whether an answer is correct
 */
export function qualityProbe(
  metrics: readonly AnyMetric[],
  primary: string | undefined,
  variant: Variant,
  sampleOf: (index: number) => Sample,
  tools: OfflineTools["tools"],
): (answer: Answer, index: number) => Promise<AnswerScores> {
  const ordered = orderMetrics(metrics)
  const asked = new Map<string, number>()
  return async (answer, index) => {
    const sample = sampleOf(index)
    const repeat = asked.get(sample.id) ?? 0
    asked.set(sample.id, repeat + 1)
    const generation = generationOf(answer, variant.name, sample.id, repeat)
    const { models, costs } = withCosts(tools.models)
    const answerTools = { ...tools, models, candidateModels: [variant.provider.model] }
    const scored = await scoreAnswer(ordered, sample, generation, answerTools)
    const { group, cluster } = sample
    const place = { ...(group === undefined ? {} : { group }), ...(cluster === undefined ? {} : { cluster }) }
    return {
      correct: scored.find(({ metric }) => metric === primary)?.value ?? null,
      rows: scored.map(({ measured, value }) => ({ sampleId: sample.id, repeat, measured, value, ...place })),
      ...(costs.length === 0 ? {} : { judgeUsd: costs.includes(null) ? null : sum(costs.map((usd) => usd ?? 0)) }),
    }
  }
}

/** The same caller, and what its answers cost. */
function withCosts({ call }: ModelCaller): {
  readonly models: ModelCaller
  readonly costs: readonly (number | null)[]
} {
  const costs: (number | null)[] = []
  const models: ModelCaller = {
    async call(...request) {
      const answer = await call(...request)
      costs.push(answer.costUsd)
      return answer
    },
  }
  return { models, costs }
}

function generationOf(answer: Answer, variant: string, sampleId: string, repeat: number): Generation {
  const { retryAfterMs: _, ...kept } = answer
  return {
    ...kept,
    variant,
    sampleId,
    repeat,
    source: "measured",
    segment: 0,
    position: 0,
    retries: [],
    cost: { status: "unknown", reason: "a bench costs its levels as a whole" },
  }
}
