import { UsageError } from "../../core/errors.ts"
import type { Answer, Generation } from "../../core/generation.ts"
import type { AnyMetric } from "../../core/metric.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"

/**
 * Quality of an answer under load, by a metric that needs neither another metric nor a model. A judge would put load of
 * its own on the endpoint: such a metric leaves the answers unscored.
 */
export function qualityProbe(
  metric: AnyMetric,
  variant: Variant,
  sampleOf: (index: number) => Sample,
  signal: AbortSignal,
): (answer: Answer, index: number) => Promise<number | null> {
  const cache = new Map<string, Parameters<Parameters<AnyMetric["measure"]>[2]["cache"]["set"]>[1]>()
  const tools: Parameters<AnyMetric["measure"]>[2] = {
    signal,
    seed: 1,
    candidateModels: [variant.provider.model],
    valueOf: () => undefined,
    cache: {
      get: async (key) => cache.get(key),
      set: async (key, value) => void cache.set(key, value),
    },
    models: {
      call: () => {
        throw new UsageError("a bench calls no judges", { where: metric.name })
      },
    },
  }
  return async (answer, index) => {
    const sample = sampleOf(index)
    try {
      const measured = await metric.measure(sample, generationOf(answer, variant.name, sample.id), tools)
      return measured.status === "scored" ? metric.value(measured.row) : null
    } catch (error) {
      if (error instanceof UsageError) return null
      throw error
    }
  }
}

function generationOf(answer: Answer, variant: string, sampleId: string): Generation {
  const { retryAfterMs: _, ...kept } = answer
  return {
    ...kept,
    variant,
    sampleId,
    repeat: 0,
    source: "measured",
    segment: 0,
    position: 0,
    retries: [],
    cost: { status: "unknown", reason: "a bench costs its levels as a whole" },
  }
}
