import { UsageError } from "../../src/core/errors.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { metadataFault } from "../../src/core/metric/metadata-fault.ts"
import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { usedEntailment } from "../../src/core/metric/used-model.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { mean } from "../../src/stats/mean.ts"
import { counted } from "../../src/words/number.ts"
import { type EmbedderOption, embedderParts } from "../semantic/use-embedder.ts"
import { contentWords } from "../statements/content-words.ts"
import { splitSentences } from "../statements/sentences.ts"
import { signature } from "../text/signature.ts"
import { type Detector, detectorMetric } from "./detector.ts"
import type { EntailmentModel } from "./entailment.ts"
import { type ConsistencyForm, consistencyForm } from "./self-consistency-forms.ts"

/** Options of {@link selfConsistency}. @public */
export interface SelfConsistencyOptions extends EmbedderOption {
  readonly name?: string
  /**
   * How much of a sentence the other answers do not support:
   * - `words` (default): the share of the other answers that lack a word, averaged over the sentence's content words; 0..1
   * - `ngram`: SelfCheckGPT's n-gram form: the largest −ln p of the sentence's n-grams under a model of all answers; 0..∞,
   *   and it grows with the answers' length
   * - `bertScore`: SelfCheckGPT's BERTScore form: 1 − F1 with the best sentence of each other answer, averaged over these
   * - `nli`: SelfCheckGPT's NLI form: the probability that another answer contradicts it, averaged over these; 0..1
   */
  readonly form?: ConsistencyForm
  /** Words of an n-gram (`ngram`). Default 1, the form that works best. */
  readonly n?: number
  /** The model of `nli`: `entailmentModel(classifier({ … }))`. */
  readonly model?: EntailmentModel
  /** A sentence with a larger inconsistency is marked. Default 0.5 (`bertScore` 0.35; `ngram` none). */
  readonly sentenceThreshold?: number
  /** An answer with a larger mean is flagged, for `hallucination` and for precision and recall. Default as for sentences. */
  readonly threshold?: number
  /** Metadata field with other answers to the same question, for outputs of other tools. Default `otherAnswers`. */
  readonly field?: string
}

/** Characters of an answer, and sentences of it, that are read; other answers that it is compared with. */
const maxAnswerLength = 20_000
const maxSentences = 100
const maxOthers = 50

/**
 * Self-consistency over repeats, as in SelfCheckGPT: what a model invents differs from answer to answer. Each sentence
 * is compared with the other answers to the same sample; an answer's score is the mean inconsistency over its sentences, the
 * figure the mean over answers.
 *
 * Does not detect an error that the model repeats in every answer. Needs repeats at a temperature above 0 (or `otherAnswers` in the data).
 * Range 0..1 (`ngram`: 0..∞), lower is better. Cost: `words` and `ngram` none; `bertScore` one pass of the embedder per
 * sentence; `nli` sentences × other answers passes. Source: Manakul et al. 2023. Unscored: `no_sentence`, `no_repeats`,
 * `not_yet`, and the embedder's own codes.
 *
 * @throws UsageError for `nli` without a model that detects contradiction, and for an n below 1
 * @example
 * // repeats "Paris", "Paris", "Lyon": half of the others lack the word of the first two, all lack that of the third
 * selfConsistency() // 0.6667
 * @public
 */
export function selfConsistency(options: SelfConsistencyOptions = {}): Detector {
  checkOptions("selfConsistency", options)
  const { form = "words", n = 1, field = "otherAnswers", model } = options
  if (!(Number.isInteger(n) && n >= 1))
    throw new UsageError("n must be a whole number from 1", { where: `selfConsistency({ n: ${n} })` })
  const natural = { words: 0.5, ngram: Number.POSITIVE_INFINITY, bertScore: 0.35, nli: 0.5 }[form]
  const { sentenceThreshold = natural, threshold = natural } = options
  const { identity, cost, inconsistencies } = consistencyForm(options, form, n)
  return detectorMetric({
    name: options.name ?? "selfConsistency",
    signature: signature("selfConsistency", { form, ...identity, threshold }),
    threshold,
    figure: "score",
    range: [0, form === "ngram" ? Number.POSITIVE_INFINITY : 1],
    cost: `repeated answers, and ${cost}`,
    blindSpot: "it does not detect an error that the model repeats in every answer",
    needs: { repeats: 2 },
    async assess(sample, { text: whole }, tools) {
      const text = whole.slice(0, maxAnswerLength)
      const sentences = splitSentences(text)
        .filter((sentence) => contentWords(sentence.text).length > 0)
        .slice(0, maxSentences)
      if (sentences.length === 0) return unscored("no_sentence", "the answer has no word to compare")
      const others = otherAnswers(sample, tools, field)
      if ("status" in others) return others
      const scores = await inconsistencies({
        text,
        sentences: sentences.map((sentence) => sentence.text),
        others,
        tools,
      })
      if ("status" in scores) return scores
      const wrong = sentences.filter((_, i) => (scores[i] as number) > sentenceThreshold)
      return {
        score: mean(scores),
        checked: sentences.length,
        unsupported: wrong.length,
        offences: wrong.map((sentence) => ({
          text: sentence.text,
          start: sentence.start,
          reason: "not supported by the other answers to the same question",
        })),
      }
    },
    ...(form === "bertScore" && embedderParts(options)),
    ...(form === "nli" && model && { uses: [usedEntailment(model)], close: async () => model.close?.() }),
  })
}

/** The other answers: those of the row, else the run's repeats, once all of them are answered. */
function otherAnswers({ metadata }: Sample, tools: MetricTools, field: string): readonly string[] | Unscored {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined
  const repeats = tools.otherAnswers?.()
  if (!Array.isArray(value) && repeats && repeats.awaited > 0)
    return unscored(
      "not_yet",
      `${counted(repeats.awaited, "repeat")} of the sample ${repeats.awaited === 1 ? "is" : "are"} not answered`,
    )
  const texts = Array.isArray(value)
    ? (value as readonly JsonValue[]).map(String)
    : (repeats?.answers ?? []).map(({ text }) => text)
  const others = texts.map((text) => text.slice(0, maxAnswerLength)).filter((text) => contentWords(text).length > 0)
  return others.length === 0
    ? unscored(
        "no_repeats",
        `no other answer to the same sample, and ${metadataFault(metadata, field, "a list of answers")}; set repeats, or give that list`,
      )
    : others.slice(0, maxOthers)
}
