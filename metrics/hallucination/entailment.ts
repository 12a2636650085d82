import { unscored } from "../../src/core/metric/metric.ts"
import { type OpenOptions, usedEntailment } from "../../src/core/metric/used-model.ts"
import { checkOptions } from "../../src/core/options.ts"
import { mean } from "../../src/stats/mean.ts"
import { abstains } from "../statements/abstention.ts"
import { statementText } from "../statements/citation-marks.ts"
import { splitSentences } from "../statements/sentences.ts"
import { signature } from "../text/signature.ts"
import { type Detector, detectorMetric } from "./detector.ts"

/** A model of natural language inference. @public */
export interface EntailmentModel {
  /** Part of the signature. */
  readonly identity: string
  /** Probability, 0..1, that each premise entails its hypothesis, in order. */
  entailment(
    pairs: readonly { readonly premise: string; readonly hypothesis: string }[],
    signal: AbortSignal,
  ): Promise<readonly number[]>
  /**
   * Probability, 0..1, that the two contradict each other rather than that the first entails the second (neutral left
   * out), in order. What `selfConsistency` needs.
   */
  contradiction?(
    pairs: readonly { readonly premise: string; readonly hypothesis: string }[],
    signal: AbortSignal,
  ): Promise<readonly number[]>
  /** Loads it and reads nothing: a run does so before it asks anything. */
  open?(signal: AbortSignal, options?: OpenOptions): Promise<void>
  close?(): Promise<void>
}

/** Options of {@link unentailedSentences}. @public */
export interface UnentailedSentencesOptions {
  readonly model: EntailmentModel
  readonly name?: string
  /** An answer is flagged when its score is above it. Default 0.5. */
  readonly threshold?: number
  /** Sentences of the context that make one premise. Default 1, as in SummaC's best form. */
  readonly window?: number
}

/** Premises and sentences that are compared, at most: their product is the number of passes of the model. */
const maxPremises = 400
const maxSentences = 100

/**
 * Unentailed sentences: for each sentence of the answer the best entailment by any window of the context, averaged over
 * sentences (SummaC's zero-shot form); the score is 1 minus that.
 *
 * Marks that name a passage ("[2]") are taken out first; sentences that say (in English) that the answer is not known are left
 * out, and an answer of such sentences alone is unscored. No better than its model; it misses what only several windows together entail. Cost: sentences × windows passes. Range 0..1, lower
 * is better; the value of an answer is 1 when it is flagged, the summary is the rate. Source: Laban et al. 2022. Unscored:
 * `no_context`, `empty_output`, `abstained`.
 *
 * @example
 * unentailedSentences({ model }) // a sentence entailed with 0.9 and one with 0.2: score 0.45
 * @public
 */
export function unentailedSentences(options: UnentailedSentencesOptions): Detector {
  checkOptions("unentailedSentences", options)
  const { model, name = "unentailedSentences", threshold = 0.5, window = 1 } = options
  return detectorMetric({
    name,
    signature: signature("unentailedSentences", {
      model: model.identity,
      window,
      marks: "no",
      abstentions: "no",
      threshold,
    }),
    threshold,
    cost: "sentences × windows passes of a model on this machine",
    blindSpot: "it compares single sentences with single windows, and misses what follows from several together",
    async assess(sample, { text }, tools) {
      const premises = sample.context.flatMap((passage) => windows(passage, window)).slice(0, maxPremises)
      if (premises.length === 0) return unscored("no_context", "the sample has no passages")
      const stated = splitSentences(text).filter((sentence) => statementText(sentence.text) !== "")
      if (stated.length === 0) return unscored("empty_output")
      const sentences = stated.filter((sentence) => !abstains(sentence.text)).slice(0, maxSentences)
      if (sentences.length === 0) return unscored("abstained", "the answer says that it does not know")
      const pairs = sentences.flatMap((sentence) => {
        const hypothesis = statementText(sentence.text)
        return premises.map((premise) => ({ premise, hypothesis }))
      })
      const scores = await model.entailment(pairs, tools.signal)
      const best = sentences.map((_, i) => Math.max(...scores.slice(i * premises.length, (i + 1) * premises.length)))
      const wrong = sentences.filter((_, i) => (best[i] as number) < 0.5)
      return {
        score: 1 - mean(best),
        checked: sentences.length,
        unsupported: wrong.length,
        offences: wrong.map((sentence) => ({
          text: sentence.text,
          start: sentence.start,
          reason: "no passage entails it",
        })),
      }
    },
    uses: [usedEntailment(model)],
    ...(model.close && { close: () => model.close?.() ?? Promise.resolve() }),
  })
}

function windows(passage: string, size: number): readonly string[] {
  const sentences = splitSentences(passage).map(({ text }) => text)
  const starts = sentences.slice(0, Math.max(1, sentences.length - size + 1))
  return sentences.length === 0 ? [] : starts.map((_, i) => sentences.slice(i, i + size).join(" "))
}
