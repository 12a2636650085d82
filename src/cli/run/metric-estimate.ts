import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import { metricUse } from "../../score/metric-use.ts"

/** What the models that a metric asks may take at most. */
export interface MetricEstimate {
  readonly metric: string
  readonly model: string
  readonly callsAtMost: number
  /** Null when a price is unknown. */
  readonly costUsdAtMost: number | null
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
    const { name, asks = [], asksPer = "answer" } = metric
    if (asks.length === 0) continue
    let [calls, total]: [number, number | null] = [0, 0]
    for (const variant of variants) {
      const judged = asksPer === "turn" ? turnsOf(variant.name) : answers
      calls += asks.length * judged
      let ofSamples: number | null = 0
      for (const sample of samples)
        for (const { usd } of await metricUse(metric, sample, variant))
          ofSamples = ofSamples === null || usd === null ? null : ofSamples + usd
      total = total === null || ofSamples === null ? null : total + (ofSamples / Math.max(1, samples.length)) * judged
    }
    const model = [...new Set(asks.map(({ label }) => label))].join(", ")
    estimates.push({ metric: name, model, callsAtMost: calls, costUsdAtMost: total })
  }
  return estimates
}
