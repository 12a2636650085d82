import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import type { MetricCall } from "../../score/metric-use.ts"
import { metricUse } from "../../score/metric-use.ts"

/** What the models and services that a metric asks may take at most. */
export interface MetricEstimate {
  readonly metric: string
  readonly model: string
  readonly maxCalls: number
  readonly maxTokens: number
  /** Null when a price is unknown. */
  readonly maxCostUsd: number | null
}

/** Samples whose judgements are written out; of more, equally many of each part of the data set. */
const maxSamples = 200

/** Collects samples evenly over a data set whose size is not known beforehand. */
export function createSampleThinner(): { add(sample: Sample): void; readonly samples: readonly Sample[] } {
  let samples: Sample[] = []
  let [every, seen] = [1, 0]
  return {
    add(sample) {
      if (seen++ % every !== 0) return
      samples.push(sample)
      if (samples.length < 2 * maxSamples) return
      samples = samples.filter((_, i) => i % 2 === 0)
      every *= 2
    },
    get samples() {
      return samples
    },
  }
}

/**
 * What judging costs at most, from the requests that the metrics write about the longest answers to these samples.
 *
 * @param answers answers of one variant, all repeats
 * @param turnsOf turns of all conversations of a variant, all repeats
 */
export async function metricEstimates(
  { metrics, variants }: Pick<Evaluation, "metrics" | "variants">,
  samples: readonly Sample[],
  answers: number,
  turnsOf: (variant: string) => number,
): Promise<readonly MetricEstimate[]> {
  const estimates: MetricEstimate[] = []
  for (const metric of metrics) {
    const models = new Set((metric.asks ?? []).map(({ label }) => label))
    let [calls, tokens, usd]: [number, number, number | null] = [0, 0, 0]
    for (const variant of variants) {
      const judged = metric.asksPer === "turn" ? turnsOf(variant.name) : answers
      const uses = (await Promise.all(samples.map((sample) => metricUse(metric, sample, variant)))).flat()
      for (const { model } of uses) models.add(model)
      const ofAll = (of: (use: MetricCall) => number) =>
        (uses.reduce((sum, use) => sum + of(use), 0) / Math.max(1, samples.length)) * judged
      calls += ofAll(({ requests = 1 }) => requests)
      tokens += ofAll((use) => use.tokens)
      usd = usd === null || uses.some((use) => use.usd === null) ? null : usd + ofAll((use) => use.usd ?? 0)
    }
    if (models.size > 0)
      estimates.push({
        metric: metric.name,
        model: [...models].join(", "),
        maxCalls: Math.ceil(calls),
        maxTokens: Math.ceil(tokens),
        maxCostUsd: usd,
      })
  }
  return estimates
}
