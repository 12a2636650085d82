import type { JsonValue } from "../../src/core/json.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { answerMetric, type EquivalenceOptions } from "./answer-metric.ts"

/**
 * Distinct answers: how many different answers the repeats of a sample have, on average. 1: the model always gives the
 * same answer. Grows with the number of repeats: compare only equal numbers.
 *
 * Range 1..∞, lower is more consistent. Needs repeats at a temperature above 0.
 *
 * Misleads where the same thing is said in other words: set `represent` or `equivalent`. Source: evalkit's own definition.
 *
 * @example
 * // repeats "Paris", "Paris.", "Lyon"
 * distinctAnswers() // 2
 * @public
 */
export function distinctAnswers(options: EquivalenceOptions = {}): Metric<JsonValue> {
  checkOptions("distinctAnswers", options)
  return answerMetric({
    name: "distinctAnswers",
    direction: "lower",
    range: [1, Number.POSITIVE_INFINITY],
    options,
    figure: (counts) => counts.length,
  })
}
