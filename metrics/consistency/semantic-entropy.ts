import type { JsonValue } from "../../src/core/json.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { answerMetric, type EquivalenceOptions } from "./answer-metric.ts"

/**
 * Semantic entropy (discrete): the entropy over classes of answers that mean the same, in nats. High where a model gives
 * a different answer each time, a sign that it invents them.
 *
 * `represent` and `equivalent` decide what means the same: normalised equality by default, `embeddingEquivalence`, or a `model` of
 * natural language inference (the paper's form: each entails the other) where wording varies. Underestimates with few repeats (at most ln n). Range 0..∞, lower is more certain.
 * Source: Farquhar et al. 2024, "Detecting hallucinations in large language models using semantic entropy".
 *
 * @example
 * // repeats "Paris", "Paris.", "Lyon", "Nice": shares 1/2, 1/4, 1/4
 * semanticEntropy() // 1.0397
 * @public
 */
export function semanticEntropy(options: EquivalenceOptions = {}): Metric<JsonValue> {
  checkOptions("semanticEntropy", options)
  return answerMetric({
    name: "semanticEntropy",
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    options,
    figure(counts) {
      const n = counts.reduce((sum, count) => sum + count, 0)
      // 0 − x, so that a single class has entropy 0 and not −0.
      return 0 - counts.reduce((sum, count) => sum + (count / n) * Math.log(count / n), 0)
    },
  })
}
