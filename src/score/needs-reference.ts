import type { AnyMetric } from "../core/metric/metric.ts"
import type { MetricTools } from "../core/metric/metric-tools.ts"
import type { Sample } from "../core/sample.ts"
import { foreignGeneration } from "../text/reading/foreign-generation.ts"
import { isOurs } from "./metric-use.ts"

/**
 * Names of the metrics that can score no answer to a sample without references. Each is tried with an answer that nobody gave; metrics
 * that ask or load a model, build on others, or are the user's own code are not tried.
 */
export async function needReference(metrics: readonly AnyMetric[], sample: Sample): Promise<readonly string[]> {
  const generation = foreignGeneration({ sampleId: sample.id, text: "answer" })
  const names: string[] = []
  for (const metric of metrics) {
    if (!isOurs(metric) || metric.asks?.length || metric.uses?.length || metric.dependsOn?.length) continue
    const measured = await Promise.resolve()
      .then(() => metric.measure(sample, generation, offlineTools))
      .catch(() => null)
    if (measured?.status !== "unscored") continue
    if (measured.code === "no_reference" || (measured.code === "no_label" && sample.label === undefined))
      names.push(metric.name)
  }
  return names
}

/** Tools of a measurement that asks nothing. */
export const offlineTools: MetricTools = {
  signal: new AbortController().signal,
  seed: 1,
  cache: { get: async () => undefined, set: async () => {} },
  models: { call: () => Promise.reject(new Error("no model is asked")) },
  candidateModels: [],
  valueOf: () => undefined,
}
