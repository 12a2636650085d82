import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { withoutCitationMarks } from "../statements/citation-marks.ts"
import { contentWords, coverage } from "../statements/content-words.ts"
import { splitSentences } from "../statements/sentences.ts"
import { inLanguages, wordLanguages } from "../text/in-languages.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link noiseSensitivity}. @public */
export interface NoiseSensitivityOptions {
  readonly name?: string
  /** Content words of a sentence that must occur for it to count as supported, 0..1. Default 0.5. */
  readonly threshold?: number
}

/**
 * Noise sensitivity, without a model: the share of the answer's sentences that the retrieved context supports but the reference
 * does not: what the model took from misleading passages.
 *
 * Counts a true statement beyond the reference as noise, and does not recognise paraphrases. Range 0..1, lower is better; the summary
 * is the mean. Source: Ragas' noise sensitivity, with words in place of a model. Unscored: `no_context`, `no_reference`,
 * `no_sentence`.
 *
 * @example
 * // context ["Rome is large."], references ["Paris is in France."], output "Paris is in France. Rome is large."
 * noiseSensitivity() // 0.5
 * @public
 */
export function noiseSensitivity(options: NoiseSensitivityOptions = {}): Metric<number> {
  checkOptions("noiseSensitivity", options)
  const { name = "noiseSensitivity", threshold = 0.5 } = options
  return inLanguages(
    { languages: wordLanguages, hint: "judged.noiseSensitivity() asks a judge, which reads any language" },
    meanMetric({
      name,
      signature: signature("noiseSensitivity", { words: "content", marks: "no", threshold }),
      direction: "lower",
      unit: "share",
      measure(sample, generation) {
        if (sample.context.length === 0) return unscored("no_context", "the sample has no passages")
        const references = referencesOf(sample)
        if (isUnscored(references)) return references
        const right = new Set(references.flatMap(contentWords))
        const context = new Set(sample.context.flatMap(contentWords))
        const sentences = splitSentences(withoutCitationMarks(generation.text)).filter(
          ({ text }) => contentWords(text).length > 0,
        )
        if (sentences.length === 0) return unscored("no_sentence", "the answer has no word to compare")
        const supported = (text: string, words: ReadonlySet<string>) => (coverage(text, words) ?? 0) >= threshold
        return (
          sentences.filter(({ text }) => !supported(text, right) && supported(text, context)).length / sentences.length
        )
      },
    }),
  )
}
