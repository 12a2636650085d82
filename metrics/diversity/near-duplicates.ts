import { UsageError } from "../../src/core/errors.ts"
import type { Embedder } from "../../src/core/metric/embedder.ts"
import { checkOptions } from "../../src/core/options.ts"
import { dotProduct, unitVector } from "../semantic/vectors.ts"

/** Two texts that are nearly the same, by their places in the list. @public */
export interface NearDuplicate {
  readonly first: number
  readonly second: number
  readonly cosine: number
}

/** What {@link nearDuplicates} finds. @public */
export interface Duplicates {
  /** Places of texts that are equal, two or more in each group. */
  readonly identical: readonly (readonly number[])[]
  /** Pairs of different texts, most similar first; of equal texts only the first takes part. */
  readonly near: readonly NearDuplicate[]
}

/** Options of {@link nearDuplicates}. @public */
export interface NearDuplicatesOptions {
  readonly embedder: Embedder
  /** Cosine from which two texts count as near duplicates; default 0.95. */
  readonly threshold?: number
  readonly signal?: AbortSignal
}

/** Distinct texts that are compared at most: every pair is compared. */
const maxTexts = 20_000

/**
 * Texts of a data set that occur twice or nearly so: they count twice in every mean, and where they are in both the prompts and the
 * test data they leak answers. Exact over all pairs.
 *
 * Cost: one pass of the model per distinct text, and n² × dimension products (half a second for 1,000 texts).
 * @throws {UsageError} for more than 20,000 distinct texts
 * @example
 * await nearDuplicates(["Who wrote Emma?", "Who wrote Emma?", "Who was Emma's author?"], { embedder: transformers(), threshold: 0.8 })
 * // { identical: [[0, 1]], near: [{ first: 0, second: 2, cosine: 0.933 }] }
 * @public
 */
export async function nearDuplicates(texts: readonly string[], options: NearDuplicatesOptions): Promise<Duplicates> {
  checkOptions("nearDuplicates", options)
  const { embedder, threshold = 0.95, signal } = options
  const places = new Map<string, number[]>()
  for (const [i, text] of texts.entries()) {
    const group = places.get(text)
    if (group) group.push(i)
    else places.set(text, [i])
  }
  if (places.size > maxTexts)
    throw new UsageError(`at most ${maxTexts} distinct texts can be compared`, {
      where: `nearDuplicates: ${places.size} texts`,
      hint: "compare a part of them",
    })
  const firsts = [...places.values()].map(([first]) => first as number)
  const vectors = places.size < 2 ? [] : await embedder.embed([...places.keys()], signal)
  const units = vectors.map(unitVector)
  const near: NearDuplicate[] = []
  for (const [i, left] of units.entries()) {
    signal?.throwIfAborted()
    for (let j = i + 1; j < units.length; j++) {
      const right = units[j]
      if (!left || !right) continue
      const cosine = dotProduct(left, right)
      if (cosine >= threshold) near.push({ first: firsts[i] as number, second: firsts[j] as number, cosine })
    }
  }
  near.sort((a, b) => b.cosine - a.cosine || a.first - b.first || a.second - b.second)
  return { identical: [...places.values()].filter((group) => group.length > 1), near }
}
