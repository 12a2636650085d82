import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { type Sample, statesEmpty } from "../../src/core/sample.ts"
import { contentWords, coverage } from "../statements/content-words.ts"
import { splitSentences } from "../statements/sentences.ts"
import { inLanguages, wordLanguages } from "../text/in-languages.ts"
import { signature } from "../text/signature.ts"
import { idsOf } from "./retrieval-metrics.ts"

/** Options of the metrics over passages. @public */
export interface PassageOptions {
  readonly name?: string
  /** Content words of a sentence that must occur in a passage for it to support the sentence, 0..1. Default 0.5. */
  readonly threshold?: number
  /** Metadata field with reference passages (texts), which are compared with before references. Default `referenceContexts`. */
  readonly field?: string
}

/**
 * Context precision, without a model: whether the passages that support the reference are ranked first in the context. The mean
 * of precision at each rank with such a passage; 0 when none does.
 *
 * A passage supports the reference when it covers the content words of one of its sentences (or of a reference passage). Without
 * references the answer itself is taken. Does not recognise paraphrases: a judge does, at a cost. Range 0..1, higher is better;
 * the summary is the mean. Source: Ragas' context precision, with words in place of a model. Unscored: `no_context`,
 * `no_reference`.
 *
 * @example
 * // context ["Cows eat grass.", "Paris is in France."], references ["Paris is in France."]: useful at rank 2 only
 * contextPrecision() // 0.5
 * @public
 */
export function contextPrecision(options: PassageOptions = {}): Metric<number> {
  checkOptions("contextPrecision", options)
  const { name = "contextPrecision", threshold = 0.5, field = "referenceContexts" } = options
  return inLanguages(
    { languages: wordLanguages, hint: "judged.contextPrecision() asks a judge, which reads any language" },
    meanMetric({
      name,
      signature: signature("contextPrecision", { words: "content", threshold, field }),
      unit: "share",
      measure(sample, generation) {
        if (sample.context.length === 0) return unscored("no_context", "the sample has no passages")
        const supported = sentencesOf(sample, field, generation.text)
        if (supported.length === 0) return unscored("no_reference", "neither references nor an answer")
        let hits = 0
        let sum = 0
        for (const [rank, passage] of sample.context.entries()) {
          const words = new Set(contentWords(passage))
          if (supported.some((sentence) => (coverage(sentence, words) ?? 0) >= threshold)) sum += ++hits / (rank + 1)
        }
        return hits === 0 ? 0 : sum / hits
      },
    }),
  )
}

/**
 * Context recall, without a model: the share of the reference's sentences (or of the reference passages) whose content words
 * the context covers. A faithful answer cannot state what is not in the context.
 *
 * Does not recognise paraphrases, or a sentence whose words are spread over passages. Range 0..1, higher is better; the summary is the mean.
 * A sample with `context: []` has a retrieval that brought nothing: 0. Source: Ragas' context recall, with words in place of a model.
 * Unscored: `no_context`, `no_reference`.
 *
 * @example
 * // context ["Paris is in France."], references ["Paris is in France. Rome is in Italy."]
 * contextRecall() // 0.5
 * @public
 */
export function contextRecall(options: PassageOptions = {}): Metric<number> {
  checkOptions("contextRecall", options)
  const { name = "contextRecall", threshold = 0.5, field = "referenceContexts" } = options
  return inLanguages(
    { languages: wordLanguages, hint: "judged.contextRecall() asks a judge, which reads any language" },
    meanMetric({
      name,
      signature: signature("contextRecall", { words: "content", threshold, field }),
      unit: "share",
      measure(sample) {
        if (sample.context.length === 0 && !statesEmpty(sample, "context"))
          return unscored("no_context", "the sample has no passages")
        const sentences = sentencesOf(sample, field, "")
        if (sentences.length === 0) return unscored("no_reference", "neither references nor reference passages")
        const passages = sample.context.map((passage) => new Set(contentWords(passage)))
        const covered = sentences.filter((sentence) =>
          passages.some((words) => (coverage(sentence, words) ?? 0) >= threshold),
        )
        return covered.length / sentences.length
      },
    }),
  )
}

/** Reference passages, else the first reference's sentences, else the answer's; only those with a content word. */
function sentencesOf(sample: Sample, field: string, answer: string): readonly string[] {
  const passages = idsOf(sample.metadata, field)
  const sentences = passages ?? splitSentences(sample.references[0] ?? answer).map(({ text }) => text)
  return sentences.filter((sentence) => contentWords(sentence).length > 0)
}
