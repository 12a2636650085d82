import type { Answer, Generation } from "../core/generation.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { ModelCaller } from "../core/metric/metric-tools.ts"
import { type Sample, splitOf } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import type { OfflineTools } from "../score/metric-tools-offline.ts"
import { orderMetrics } from "../score/order-metrics.ts"
import { scoreAnswer } from "../score/score.ts"
import { benchReasons } from "../words/reasons/bench.ts"
import type { JudgeCall } from "./judge-use.ts"
import type { AnswerScores } from "./level-quality.ts"

/**
 * Quality of an answer under load by every metric of the config, judges included: they are asked after the load has
 * ended, so that they add no load to the endpoint that is being measured.
 */
export function qualityProbe(
  metrics: readonly AnyMetric[],
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
    const { models, calls } = withCalls(tools.models)
    const answerTools = { ...tools, models, candidateModels: [variant.provider.model] }
    const scored = await scoreAnswer(ordered, sample, generation, answerTools)
    const split = splitOf(sample)
    return {
      rows: scored.map(({ measured, value }) => ({ sampleId: sample.id, repeat, measured, value, ...split })),
      ...(calls.length === 0 ? {} : { judgeCalls: calls }),
    }
  }
}

/** The same caller, and what it was asked for. */
function withCalls({ call }: ModelCaller): { readonly models: ModelCaller; readonly calls: readonly JudgeCall[] } {
  const calls: JudgeCall[] = []
  const models: ModelCaller = {
    async call(...request) {
      const answer = await call(...request)
      calls.push({ replayed: answer.replayed, usage: answer.usage, usd: answer.costUsd })
      return answer
    },
  }
  return { models, calls }
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
    cost: { status: "unknown", reason: benchReasons.costOfLevel },
  }
}
