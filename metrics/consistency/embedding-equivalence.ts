import type { JsonValue } from "../../src/core/json.ts"
import { checkOptions } from "../../src/core/options.ts"
import { type EmbedderOption, embedderIdentity, embedTexts, withEmbedder } from "../semantic/use-embedder.ts"
import { cosineSimilarity } from "../semantic/vectors.ts"
import type { EquivalenceOptions } from "./answer-metric.ts"

/** Options of {@link embeddingEquivalence}. @public */
export interface EmbeddingEquivalenceOptions extends EmbedderOption {
  readonly name?: string
  /** Cosine from which two answers mean the same. Default 0.9. */
  readonly threshold?: number
}

/**
 * Equality by embedding for `semanticEntropy`, `selfAgreement` and `distinctAnswers`: two answers are of one class when the
 * cosine of their embeddings reaches a threshold. Cheaper than `entailmentClasses`, and less precise: "5 apples" and "6 apples" are
 * close. Cost: one embedding per answer, kept in the cache. Unscored: what the embedder says (`missing_package` …).
 *
 * @example semanticEntropy(embeddingEquivalence({ threshold: 0.85 }))
 * @public
 */
export function embeddingEquivalence(options: EmbeddingEquivalenceOptions = {}): EquivalenceOptions {
  checkOptions("embeddingEquivalence", options)
  const { name, threshold = 0.9 } = options
  return {
    ...(name !== undefined && { name }),
    identity: `cosine>=${threshold},${embedderIdentity(options)}`,
    represent: ({ text }, tools) =>
      withEmbedder(options, tools, async (embedder) => {
        const [vector] = await embedTexts(embedder, [text], tools)
        return Array.from(vector as Float32Array)
      }),
    equivalent: remembered((a, b) => (cosineSimilarity(a, b) ?? 0) >= threshold),
  }
}

/** Resampling compares the same vectors again and again: each pair is computed once. */
function remembered(
  compare: (a: readonly number[], b: readonly number[]) => boolean,
): NonNullable<EquivalenceOptions["equivalent"]> {
  const cache = new WeakMap<object, WeakMap<object, boolean>>()
  return (a, b) => {
    if (!isVector(a) || !isVector(b)) return false
    const row = cache.get(a) ?? new WeakMap<object, boolean>()
    cache.set(a, row)
    const result = row.get(b) ?? compare(a, b)
    row.set(b, result)
    return result
  }
}

function isVector(value: JsonValue): value is readonly number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "number")
}
