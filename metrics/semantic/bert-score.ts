import { UsageError } from "../../src/core/errors.ts"
import type { Metric, Unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { cachedFrequency, type FrequencySource, frequencyIdentity } from "./document-frequency.ts"
import { greedyMatch, type MatchScores, rescale, type WeightedTokens, weightedTokens } from "./greedy-match.ts"
import { referenceMetric } from "./reference-metric.ts"
import type { EmbedderOption } from "./use-embedder.ts"
import { embedTokens } from "./use-embedder.ts"

/** Options of {@link bertScore}. @public */
export interface BertScoreOptions extends EmbedderOption {
  readonly name?: string
  /** Layer whose token embeddings are compared, 0 being the embedding layer; default 5 of 6 for all-MiniLM-L6-v2. */
  readonly layer?: number
  /** Weigh rare tokens more: by the references of this data set, or by these texts. Default: all tokens alike. */
  readonly idf?: FrequencySource
  /** Scores of unrelated texts with this model and layer: moved to 0. Default: no rescaling. */
  readonly baseline?: { readonly precision: number; readonly recall: number; readonly f1: number }
}

/**
 * BERTScore: precision, recall and F1 of the greedy matching of contextual token embeddings; the value is F1, of several
 * references the one with the best F1. The summary is the mean; precision and recall are in its details.
 *
 * Compare only scores of one model and layer; they are in a narrow range: with the default model unrelated
 * sentences score about 0.47 and paraphrases 0.81. A known weakness: a negation scores as high as a paraphrase (0.91), so it
 * does not detect contradictions. Special tokens weigh 0 but may be matched, as in bert_score. An empty text scores 0. Texts
 * beyond the model's window are read in windows that overlap by a quarter (the signature names the size).
 *
 * Range −1..1 (0..1 in practice; below 0 when rescaled), higher is better. Cost: one pass of the model per distinct text and
 * tokens² × dimension products. Paper: Zhang et al. 2020. Row: precision, recall, F1. Unscored: `no_reference`,
 * `missing_package`, `model_unavailable`.
 *
 * @example
 * // output "He fixed the broken bicycle in the garage.", references ["In the garage he repaired the bike."]
 * bertScore() // 0.900
 * @public
 */
export function bertScore(options: BertScoreOptions = {}): Metric<MatchScores> {
  checkOptions("bertScore", options)
  const { baseline } = options
  if (options.embedder && !options.embedder.embedTokens)
    throw new UsageError("bertScore needs token embeddings, which this embedder does not give", {
      where: options.embedder.identity,
      hint: "take transformers(…)",
    })
  const layer = layerOf(options)
  const idf = cachedFrequency(options.idf)
  return referenceMetric({
    options,
    name: "bertScore",
    facts: {
      layer: layer ?? "last",
      idf: frequencyIdentity(options.idf),
      rescale: baseline ? `${baseline.precision},${baseline.recall},${baseline.f1}` : "no",
    },
    direction: "higher",
    range: baseline ? [-Infinity, 1] : [-1, 1],
    texts: (answer, references) => [answer, ...references],
    async rows(texts, embedder, tools): Promise<readonly MatchScores[] | Unscored> {
      const embedded = await embedTokens(texts, layer, embedder, tools)
      if ("status" in embedded) return embedded
      const weightOf = await idf(embedder, tools.signal)
      const [answer, ...others] = embedded.map((text) => weightedTokens(text, weightOf))
      return others.map((reference) => greedyMatch(answer as WeightedTokens, reference))
    },
    figure: (row) => row[2],
    parts: ([precision, recall]) => ({ precision, recall }),
    ...(baseline && { finish: (row) => rescale(row, [baseline.precision, baseline.recall, baseline.f1]) }),
    details(rows) {
      const mean = (i: 0 | 1) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length
      return { precision: mean(0), recall: mean(1) }
    },
  })
}

/** The fifth layer of the default model; the last one of an unknown model. */
function layerOf({ layer, embedder }: BertScoreOptions): number | null {
  if (layer === undefined) return embedder ? (embedder.bertScoreLayer ?? null) : 5
  if (Number.isInteger(layer) && layer >= 0) return layer
  throw new UsageError("layer must be an integer from 0", { where: `bertScore({ layer: ${layer} })` })
}
