import { UsageError } from "../../src/core/errors.ts"
import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { metadataFault } from "../../src/core/metric/metadata-fault.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { signature } from "../text/signature.ts"
import { averagePrecisionAt, hitAt, ndcgAt, precisionAt, recallAt, reciprocalRankAt } from "./ranking.ts"

/** Where the ids are, and how many of them count. @public */
export interface RetrievalOptions {
  readonly name?: string
  /** Only the first k retrieved count. Default: all, for `precisionAtK` 10. */
  readonly k?: number
  /** Metadata field with the ids that were retrieved, best first. Default `retrievedIds`. */
  readonly retrieved?: string
  /** Metadata field with the relevant ids, or an object of gains by id. Default `relevantIds`. */
  readonly relevant?: string
}

/**
 * Hit rate: whether any of the first k passages retrieved is relevant. Range 0..1, higher is better; the summary is the
 * mean. Unscored: `no_retrieved_ids`, `no_relevant_ids`.
 *
 * Does not see how many were found nor how high they stand, and rises with k. Relevant passages that nobody labelled count as
 * misses. Source: success@k of TREC's evaluations (trec_eval).
 *
 * @example
 * // retrievedIds ["x", "a"], relevantIds ["a", "b"]
 * hitAtK({ k: 2 }) // 1; k: 1 gives 0
 * @public
 */
export function hitAtK(options: RetrievalOptions = {}): Metric<number> {
  checkOptions("hitAtK", options)
  return retrievalMetric("hit", options, hitAt)
}

/**
 * Precision at k: relevant among the first k, over k (fewer retrieved than k count as misses). Range 0..1, higher is
 * better; the summary is the mean. Unscored as in {@link hitAtK}.
 *
 * Cannot reach 1 where fewer than k passages are relevant; passages that nobody labelled count as irrelevant. Source: Manning,
 * Raghavan & Schütze 2008, chapter 8; trec_eval.
 *
 * @example
 * // retrievedIds ["x", "a"], relevantIds ["a", "b"]
 * precisionAtK({ k: 2 }) // 0.5
 * @public
 */
export function precisionAtK(options: RetrievalOptions = {}): Metric<number> {
  checkOptions("precisionAtK", options)
  return retrievalMetric("precision", { k: 10, ...options }, precisionAt)
}

/**
 * Recall at k: relevant among the first k, over all relevant. Range 0..1, higher is better; the summary is the mean.
 * Unscored as in {@link hitAtK}.
 *
 * Rises with k, whatever else is brought along: compare only equal k. Relevant passages that nobody labelled are not missed.
 * Source: Manning, Raghavan & Schütze 2008, chapter 8; trec_eval.
 *
 * @example
 * // retrievedIds ["x", "a"], relevantIds ["a", "b"]
 * recallAtK({ k: 2 }) // 0.5
 * @public
 */
export function recallAtK(options: RetrievalOptions = {}): Metric<number> {
  checkOptions("recallAtK", options)
  return retrievalMetric("recall", options, recallAt)
}

/**
 * Mean reciprocal rank (MRR): the inverse of the rank of the first relevant passage, 0 without one. Range 0..1, higher is
 * better. Unscored as in {@link hitAtK}.
 *
 * Only the first relevant passage counts: it misleads where an answer needs several. Source: Voorhees 1999 (TREC-8, question
 * answering).
 *
 * @example
 * // retrievedIds ["x", "a"], relevantIds ["a", "b"]
 * reciprocalRank() // 0.5
 * @public
 */
export function reciprocalRank(options: RetrievalOptions = {}): Metric<number> {
  checkOptions("reciprocalRank", options)
  return retrievalMetric("reciprocalRank", options, reciprocalRankAt)
}

/**
 * Mean average precision (MAP): the mean of the precision at each relevant rank, over all relevant (at most k). Range 0..1,
 * higher is better. Unscored as in {@link hitAtK}.
 *
 * Misleads where few of the relevant passages are labelled, and where a reader looks at the first ones only. Source: Manning,
 * Raghavan & Schütze 2008, chapter 8; trec_eval.
 *
 * @example
 * // retrievedIds ["x", "a", "b"], relevantIds ["a", "b"]: (1/2 + 2/3) / 2
 * meanAveragePrecision() // 0.5833
 * @public
 */
export function meanAveragePrecision(options: RetrievalOptions = {}): Metric<number> {
  checkOptions("meanAveragePrecision", options)
  return retrievalMetric("averagePrecision", options, averagePrecisionAt)
}

/**
 * Normalised discounted cumulative gain (nDCG) with linear gains: relevant passages count less at lower ranks,
 * relative to the best possible order. Range 0..1, higher is better; the summary is the mean. Unscored as in {@link hitAtK}.
 * Source: Järvelin & Kekäläinen 2002, as in trec_eval.
 *
 * Formula: Σ gain / log2(rank + 1) over the first k, divided by that of the best possible order. Misleads where gains are
 * graded by different people on different scales.
 *
 * @example
 * // retrievedIds ["x", "a", "b"], relevantIds { a: 2, b: 1 }: (2/log2 3 + 1/2) / (2 + 1/log2 3)
 * ndcg() // 0.6697
 * @public
 */
export function ndcg(options: RetrievalOptions = {}): Metric<number> {
  checkOptions("ndcg", options)
  return retrievalMetric("ndcg", options, ndcgAt)
}

function retrievalMetric(
  figure: string,
  options: RetrievalOptions,
  score: (k: number, retrieved: readonly string[], relevant: ReadonlyMap<string, number>) => number,
): Metric<number> {
  const { k = Number.POSITIVE_INFINITY, retrieved = "retrievedIds", relevant = "relevantIds" } = options
  if (!(k >= 1)) throw new UsageError(`k must be 1 or more, not ${k}`, { where: `${figure}({ k })` })
  const suffix = Number.isFinite(k) ? `At${k}` : ""
  return meanMetric({
    name: options.name ?? `${figure}${suffix}`,
    signature: signature(figure, { k: Number.isFinite(k) ? k : "all", retrieved, relevant }),
    unit: "share",
    measure({ metadata }) {
      const ranked = idsOf(metadata, retrieved)
      if (!ranked) return unscored("no_retrieved_ids", metadataFault(metadata, retrieved, "a list of ids"))
      const gains = gainsOf(metadata, relevant)
      if (gains.size === 0) return unscored("no_relevant_ids", metadataFault(metadata, relevant, gainsForm))
      return score(k, [...new Set(ranked)], gains)
    },
  })
}

/** Ids of a list; null when the field is not a list. */
export function idsOf(metadata: JsonObject, field: string): readonly string[] | null {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(String) : null
}

/** What the relevant passages may be given as. */
const gainsForm = "an id, a list of ids, or gains above 0 by id"

/** Gains above 0 by id: 1 each for a list, and for a text, which is the only one. */
function gainsOf(metadata: JsonObject, field: string): ReadonlyMap<string, number> {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined
  if (typeof value === "string" && value !== "") return new Map([[value, 1]])
  if (Array.isArray(value)) return new Map((value as readonly JsonValue[]).map((id) => [String(id), 1]))
  if (typeof value !== "object" || value === null) return new Map()
  return new Map(
    Object.entries(value).flatMap(([id, gain]) => (typeof gain === "number" && gain > 0 ? [[id, gain] as const] : [])),
  )
}
