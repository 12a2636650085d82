import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
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

/** Options of {@link contextRelevancy}. @public */
export interface ContextRelevancyOptions extends EmbedderOption {
  readonly name?: string
  /** The mean over all passages (how clean the retrieval is), or the best one (whether anything was found). */
  readonly aggregate?: "mean" | "best"
}

/**
 * Context relevancy, in its embedding form: the cosine between the question and each passage that was retrieved for it. The summary
 * is the mean.
 *
 * A property of the retrieval, not of the answer: it is equal for all variants that were given the same passages. A passage on the same subject is not
 * always useful; one that repeats the question scores best. Empty passages count 0.
 *
 * Range −1..1, higher is better. Cost: one pass of the model per distinct text; long passages are read in windows. Source: Es et
 * al. 2023 (Ragas), in the form that needs no model calls. Unscored: `no_input`, `no_context`, `missing_package`,
 * `model_unavailable`.
 *
 * Misleads where a question has words of several subjects.
 *
 * @example
 * // input "Where do penguins live?", context ["Penguins live mostly in Antarctica.", "Interest rates rose."]
 * contextRelevancy() // 0.446; with aggregate "best": 0.854
 * @public
 */
export function contextRelevancy(options: ContextRelevancyOptions = {}): Metric<number> {
  checkOptions("contextRelevancy", options)
  const { name = "contextRelevancy", aggregate = "mean" } = options
  const metric = meanMetric({
    name,
    signature: signature("contextRelevancy", { embedder: embedderIdentity(options), passages: aggregate }),
    range: [-1, 1],
    unit: "score",
    measure(sample, _generation, tools) {
      const question = questionOf(sample)
      if (isUnscored(question)) return question
      if (sample.context.length === 0) return unscored("no_context", "the sample has no passages")
      return withEmbedder(options, tools, async (embedder) => {
        const passages = sample.context.filter((passage) => passage.trim() !== "")
        const [asked, ...vectors] = await embedTexts(embedder, [question, ...passages], tools)
        const scores = sample.context.map(() => 0)
        for (const [i, passage] of vectors.entries()) scores[i] = cosineSimilarity(asked as Float32Array, passage) ?? 0
        if (aggregate === "best") return Math.max(...scores)
        return scores.reduce((sum, score) => sum + score, 0) / scores.length
      })
    },
  })
  return { ...metric, ...embedderParts(options) }
}
