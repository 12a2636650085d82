import type { CrossEncoder } from "../../src/core/metric/cross-encoder.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { usedCrossEncoder } from "../../src/core/metric/used-model.ts"
import { checkOptions } from "../../src/core/options.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { squadNormalize } from "../text/squad-normalize.ts"
import { type EmbedderOption, embedderIdentity, embedderParts, embedTexts, withEmbedder } from "./use-embedder.ts"
import { cosineSimilarity } from "./vectors.ts"

/** Options of {@link semanticAnswerSimilarity}. @public */
export interface SemanticAnswerSimilarityOptions extends EmbedderOption {
  readonly name?: string
  /** A cross-encoder in place of the embedder: the paper's best form. Its score must be 0..1. */
  readonly crossEncoder?: CrossEncoder
}

/**
 * Semantic answer similarity (SAS), with two encoders or a cross-encoder: how close a short answer is to the best reference, where an exact match after
 * SQuAD's normalisation is 1 and a negative cosine 0. Use it with exact match and token F1 for question answering.
 *
 * The paper's best variant is a cross-encoder (`crossEncoder`); the default is cheaper and coarser: names, dates and numbers of one kind are close to each
 * other ("1912" and "1913": 0.70), so it is better for ranking systems than for single answers. An empty answer scores 0.
 *
 * Range 0..1, higher is better. Cost: one pass of the model per distinct text. Paper: Risch et al. 2021. Unscored:
 * `no_reference`, `missing_package`, `model_unavailable`.
 *
 * Misleads on negation, and where an answer of the right kind is wrong.
 *
 * @example
 * // output "The Eiffel Tower.", references ["Eiffel Tower"]
 * semanticAnswerSimilarity() // 1: equal after normalisation
 * @public
 */
export function semanticAnswerSimilarity(options: SemanticAnswerSimilarityOptions = {}): Metric<number> {
  checkOptions("semanticAnswerSimilarity", options)
  const { name = "semanticAnswerSimilarity", crossEncoder } = options
  const metric = meanMetric({
    name,
    signature: signature("semanticAnswerSimilarity", {
      ...(crossEncoder
        ? { crossEncoder: crossEncoder.identity.replaceAll("|", ",") }
        : { embedder: embedderIdentity(options) }),
      exact: "squad1.1",
      clip: "0..1",
      refs: "best",
    }),
    unit: "share",
    async measure(sample, generation, tools) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const answer = squadNormalize(generation.text)
      if (references.some((reference) => squadNormalize(reference) === answer)) return 1
      if (answer === "") return 0
      if (crossEncoder) {
        const pairs = references.map((reference) => ({ text: reference, pair: generation.text }))
        return Math.max(0, ...(await crossEncoder.score(pairs, tools.signal)))
      }
      return withEmbedder(options, tools, async (embedder) => {
        const [own, ...others] = await embedTexts(embedder, [generation.text, ...references], tools)
        return Math.max(0, ...others.map((other) => cosineSimilarity(own as Float32Array, other) ?? 0))
      })
    },
  })
  if (!crossEncoder) return { ...metric, ...embedderParts(options) }
  return { ...metric, uses: [usedCrossEncoder(crossEncoder)], close: () => crossEncoder.close() }
}
