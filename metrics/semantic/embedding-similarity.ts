import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { type EmbedderOption, embedderIdentity, embedderParts, embedTexts, withEmbedder } from "./use-embedder.ts"
import { cosineSimilarity, dotProduct, euclideanDistance } from "./vectors.ts"

/** Options of {@link embeddingSimilarity}. @public */
export interface EmbeddingSimilarityOptions extends EmbedderOption {
  readonly name?: string
  /** `cosine` (−1..1), `dot` product, or `euclidean` distance (lower is better). */
  readonly measure?: "cosine" | "dot" | "euclidean"
  /** Several references: the best one, or the mean over all. */
  readonly aggregate?: "best" | "mean"
}

/**
 * Embedding similarity: how close the answer's meaning is to the reference's, as the cosine of their sentence vectors. The summary
 * is the mean.
 *
 * Recognises paraphrases that n-grams miss. Misleads on negation, numbers and names: "the drug is safe" and "the drug is not safe"
 * are close (0.88), so it does not check truth. Compare values of one embedder only. An empty answer counts as the zero vector:
 * cosine and dot product 0.
 *
 * Range −1..1 (cosine; unrelated sentences lie near 0 with the default model), higher is better. Cost: one pass of the model per
 * distinct text, 5 to 8 ms of one core for 24 tokens; vectors are kept in the store. Paper: Reimers & Gurevych 2019 (Sentence-BERT).
 * Unscored: `no_reference`, `missing_package`, `model_unavailable`.
 *
 * @example
 * // output "He fixed the broken bicycle in the garage.", references ["In the garage he repaired the bike."]
 * embeddingSimilarity() // 0.908
 * @public
 */
export function embeddingSimilarity(options: EmbeddingSimilarityOptions = {}): Metric<number> {
  checkOptions("embeddingSimilarity", options)
  const { name = "embeddingSimilarity", measure: kind = "cosine", aggregate = "best" } = options
  const facts = { embedder: embedderIdentity(options), measure: kind, refs: aggregate }
  const metric = meanMetric({
    name,
    signature: signature("embeddingSimilarity", facts),
    direction: kind === "euclidean" ? "lower" : "higher",
    range: ranges[kind],
    unit: "score",
    async measure(sample, generation, tools) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const written = references.filter((reference) => reference.trim() !== "")
      if (written.length === 0) return unscored("no_reference", `the references are empty`)
      return withEmbedder(options, tools, async (embedder) => {
        const answer = generation.text.trim() === "" ? [] : [generation.text]
        const vectors = await embedTexts(embedder, [...written, ...answer], tools)
        const answerVector = answer.length === 0 ? undefined : vectors[written.length]
        const scores = vectors.slice(0, written.length).map((vector) => compare(kind, answerVector, vector))
        if (aggregate === "mean") return scores.reduce((sum, score) => sum + score, 0) / scores.length
        return kind === "euclidean" ? Math.min(...scores) : Math.max(...scores)
      })
    },
  })
  return { ...metric, ...embedderParts(options) }
}

type Kind = NonNullable<EmbeddingSimilarityOptions["measure"]>

const ranges: Record<Kind, readonly [number, number]> = {
  cosine: [-1, 1],
  dot: [-Infinity, Infinity],
  euclidean: [0, Infinity],
}

function compare(kind: Kind, answer: Float32Array | undefined, reference: Float32Array): number {
  const vector = answer ?? new Float32Array(reference.length)
  if (kind === "dot") return dotProduct(vector, reference)
  return kind === "cosine" ? (cosineSimilarity(vector, reference) ?? 0) : euclideanDistance(vector, reference)
}
