import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import {
  type EmbedderOption,
  embedderIdentity,
  embedderParts,
  embedTexts,
  withEmbedder,
} from "../semantic/use-embedder.ts"
import { cosineSimilarity } from "../semantic/vectors.ts"
import { isUnscored, questionOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link answerRelevancy}. @public */
export interface AnswerRelevancyOptions extends EmbedderOption {
  readonly name?: string
}

/**
 * Answer relevancy, in its embedding form: the cosine between the question and the answer; needs no reference and no judge. The
 * summary is the mean.
 *
 * Separates answers on the subject from answers off it, and nothing more: a wrong answer in the question's words scores
 * high, a right one-word answer low. An empty answer scores 0. Ragas asks a model for the questions that an answer would fit, and
 * takes the mean cosine of those: see the judges for that form.
 *
 * Range −1..1, higher is better. Cost: one pass of the model per distinct text. Source: Es et al. 2023 (Ragas), simplified.
 * Unscored: `no_input`, `missing_package`, `model_unavailable`.
 *
 * Misleads wherever it is read as correctness.
 *
 * @example
 * // input "Where do penguins live?", output "Penguins live mostly in Antarctica."
 * answerRelevancy() // 0.854
 * @public
 */
export function answerRelevancy(options: AnswerRelevancyOptions = {}): Metric<number> {
  checkOptions("answerRelevancy", options)
  const { name = "answerRelevancy" } = options
  const metric = meanMetric({
    name,
    signature: signature("answerRelevancy", { embedder: embedderIdentity(options), form: "question-answer-cosine" }),
    range: [-1, 1],
    unit: "score",
    measure(sample, generation, tools) {
      const question = questionOf(sample)
      if (isUnscored(question)) return question
      if (generation.text.trim() === "") return 0
      return withEmbedder(options, tools, async (embedder) => {
        const [asked, answered] = await embedTexts(embedder, [question, generation.text], tools)
        return cosineSimilarity(asked as Float32Array, answered as Float32Array) ?? 0
      })
    },
  })
  return { ...metric, ...embedderParts(options) }
}
