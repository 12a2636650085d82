import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions, type OptionKinds } from "../../src/core/options.ts"
import { contentWords, coverage } from "../text/content-words.ts"
import { extractFacts, factIndex } from "../text/facts.ts"
import { splitSentences } from "../text/sentences.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link groundedness}. @public */
export interface GroundednessOptions {
  readonly name?: string
  /** Content words of a sentence that must occur in the context, 0..1. Default 0.5. */
  readonly threshold?: number
}

const groundednessOptions: OptionKinds<GroundednessOptions> = { name: "text", threshold: "number" }

/**
 * Groundedness, without a model: the share of the answer's sentences that the context supports: enough of their content words
 * occur in it, and every number, date and name does.
 *
 * Blind to paraphrase and to words put together wrongly. Range 0..1, higher is better; the summary is the mean. Unscored:
 * `no_context`, `no_sentence`.
 *
 * @example
 * // context ["Ada was born in London in 1815."], output "Ada was born in London. She died in 1852."
 * groundedness() // 0.5
 * @public
 */
export function groundedness(options: GroundednessOptions = {}): Metric<number> {
  checkOptions("groundedness", options, groundednessOptions)
  const { name = "groundedness", threshold = 0.5 } = options
  return meanMetric({
    name,
    signature: signature("groundedness", { words: "content", facts: "all", threshold }),
    unit: "share",
    measure(sample, generation) {
      if (sample.context.length === 0) return unscored("no_context", "the sample has no passages")
      const words = new Set(sample.context.flatMap(contentWords))
      const index = factIndex(sample.context)
      const facts = extractFacts(generation.text)
      const sentences = splitSentences(generation.text).flatMap((sentence) => {
        const share = coverage(sentence.text, words)
        return share === null ? [] : [{ ...sentence, share }]
      })
      if (sentences.length === 0) return unscored("no_sentence", "the answer has no word to compare")
      const wrong = facts.filter((fact) => !index.has(fact))
      const supported = sentences.filter(
        ({ share, start, end }) => share >= threshold && !wrong.some((fact) => fact.start >= start && fact.start < end),
      )
      return supported.length / sentences.length
    },
  })
}
