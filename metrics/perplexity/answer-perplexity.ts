import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { logprobMetric } from "./logprob-metric.ts"
import type { PerplexityRow } from "./row.ts"

/** Options of {@link answerPerplexity}. @public */
export interface AnswerPerplexityOptions {
  readonly name?: string
}

/**
 * Perplexity of the model's own answers: how unlikely the model found its own words. Weaker than `perplexity` of
 * given texts: a model that repeats itself has a low value, so it does not measure quality.
 *
 * Range 1..∞, lower is more certain. Unscored: `no_logprobs`; `given_text` where nothing was generated.
 *
 * Formula: exp(−Σ ln p / tokens) over the answer's own tokens. Source: Jelinek et al. 1977.
 *
 * @example
 * // an answer of two tokens of probability 1/2
 * answerPerplexity() // 2
 * @public
 */
export function answerPerplexity(options: AnswerPerplexityOptions = {}): Metric<PerplexityRow> {
  checkOptions("answerPerplexity", options)
  return {
    ...logprobMetric(options.name ?? "answerPerplexity", "answer", (_generation, isGiven) =>
      isGiven ? unscored("given_text", "the model was asked how likely a text is, and answered nothing") : null,
    ),
    note: "how unlikely the model found its own words; not a measure of quality",
  }
}
