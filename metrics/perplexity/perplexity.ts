import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { logprobMetric } from "./logprob-metric.ts"
import type { PerplexityRow } from "./row.ts"
import { perplexitySection } from "./section.ts"

/** Options of {@link perplexity}. @public */
export interface PerplexityOptions {
  readonly name?: string
}

/**
 * Perplexity of given texts: exp of the mean negative log-probability of their tokens, over all tokens of all texts. How
 * surprised the model is by what others wrote: the figure that quantizations are compared with.
 *
 * In a run the texts are scored by variants of `textScorer`, which generate nothing; foreign rows bring their `logprobs`.
 * Does not compare models with other tokenizers: `bitsPerByte` and `wordPerplexity` in the details and the report's section do.
 * Range 1..∞, lower is better. Unscored: `no_logprobs`; `own_answer` where the model made the text itself: how surprised it
 * was by that is `answerPerplexity`, a lesser figure.
 *
 * Source: Jelinek et al. 1977.
 *
 * @example
 * // eight tokens of probability 1/4 in 32 bytes
 * perplexity() // 4, with bitsPerByte 0.5
 * @public
 */
export function perplexity(options: PerplexityOptions = {}): Metric<PerplexityRow> {
  checkOptions("perplexity", options)
  const metric = logprobMetric(options.name ?? "perplexity", "text", ({ source }, isGiven) =>
    isGiven || source === "foreign"
      ? null
      : unscored("own_answer", "use textScorer for texts, answerPerplexity for answers"),
  )
  return { ...metric, section: (variants, level) => perplexitySection(metric, variants, level) }
}
