import type { JsonValue } from "../../src/core/json.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { answerMetric, type EquivalenceOptions } from "./answer-metric.ts"

/**
 * Self-agreement: the probability that two answers of the model to the same sample are the same: Σ c(c − 1) / n(n − 1)
 * over the classes of equal answers. Unbiased: it does not depend on the number of repeats.
 *
 * Range 0..1, higher is more consistent. Needs repeats at a temperature above 0.
 *
 * Misleads where a model is always wrong in the same way: it is 1 then. Source: Simpson 1949.
 *
 * @example
 * // repeats "Paris", "Paris.", "Lyon": one of three pairs agrees
 * selfAgreement() // 0.3333
 * @public
 */
export function selfAgreement(options: EquivalenceOptions = {}): Metric<JsonValue> {
  checkOptions("selfAgreement", options)
  return answerMetric({
    name: "selfAgreement",
    direction: "higher",
    range: [0, 1],
    options,
    figure(counts) {
      const n = counts.reduce((sum, count) => sum + count, 0)
      return counts.reduce((sum, count) => sum + count * (count - 1), 0) / (n * (n - 1))
    },
  })
}
