import { UsageError } from "../../src/core/errors.ts"
import type { TokenEmbeddings } from "../../src/core/metric/embedder.ts"
import type { Metric, Unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { cachedFrequency, type FrequencySource, frequencyIdentity } from "./document-frequency.ts"
import { exactPoints, moverDistance, ngramPoints, type PointCloud } from "./mover-texts.ts"
import { referenceMetric } from "./reference-metric.ts"
import type { EmbedderOption } from "./use-embedder.ts"
import { embedTokens } from "./use-embedder.ts"

/** Options of {@link moverScore}. @public */
export interface MoverScoreOptions extends EmbedderOption {
  readonly name?: string
  /** Words that are moved as one: 1 (default) or 2. */
  readonly ngram?: 1 | 2
  /** Layer of the token embeddings, 0 being the embedding layer; default the last one, as moverscore_v2 takes it. */
  readonly layer?: number
  /** Weigh rare tokens more, by the references of a data set or by texts. Default: all tokens alike. */
  readonly idf?: FrequencySource
  /** Lower-case words that are left out. Default: none. */
  readonly stopWords?: readonly string[]
}

/**
 * Row of {@link moverScore}. `relaxed`: the texts were too long for exact transport, the score is an upper bound.
 * @public
 */
export interface MoverScoreRow {
  readonly score: number
  readonly relaxed: boolean
}

/**
 * MoverScore: 1 / (1 + d), where d is the earth mover's distance between the token embeddings of answer and reference; the best of
 * several references. The summary is the mean.
 *
 * Unlike BERTScore's greedy matching every token must be moved, so that omissions and additions cost. Punctuation, special
 * tokens and word pieces after the first are left out, as in moverscore_v2. Values are in a narrow range (unit vectors are at most 2
 * apart, so that 1/3 is the smallest) and compare only within one model and layer; negation is not detected. An answer without words
 * scores 0. Texts over 400 points get the relaxed bound of Kusner et al.: an upper bound of the score, counted in the details.
 *
 * Range 0..1, higher is better. Cost: one pass of the model per distinct text, and a transport problem (0.5 ms at 40 × 40, 35 ms at
 * 300 × 300). Paper: Zhao et al. 2019. Unscored: `no_reference`, `missing_package`, `model_unavailable`.
 *
 * @example
 * // output "He fixed the broken bicycle in the garage.", references ["In the garage he repaired the bike."]
 * moverScore() // 0.648
 * @public
 */
export function moverScore(options: MoverScoreOptions = {}): Metric<MoverScoreRow> {
  checkOptions("moverScore", options)
  const { ngram = 1, layer = null, stopWords = [] } = options
  if (ngram !== 1 && ngram !== 2)
    throw new UsageError("ngram must be 1 or 2", { where: `moverScore({ ngram: ${ngram} })` })
  if (options.embedder && !options.embedder.embedTokens)
    throw new UsageError("moverScore needs token embeddings, which this embedder does not give", {
      where: options.embedder.identity,
      hint: "take transformers(…)",
    })
  const idf = cachedFrequency(options.idf)
  const left = new Set(stopWords)
  return referenceMetric({
    options,
    name: "moverScore",
    facts: {
      layer: layer ?? "last",
      ngram,
      idf: frequencyIdentity(options.idf),
      stop: left.size,
      transport: `exact<=${exactPoints}`,
    },
    direction: "higher",
    range: [0, 1],
    texts: (answer, references) => [answer, ...references],
    async rows(texts, embedder, tools): Promise<readonly MoverScoreRow[] | Unscored> {
      const embedded = await embedTokens(texts, layer, embedder, tools)
      if ("status" in embedded) return embedded
      const weightOf = await idf(embedder, tools.signal)
      const [answer, ...others] = embedded.map((text) => ngramPoints(words(text, left, weightOf), ngram))
      return others.map((reference) => {
        const moved = moverDistance(answer as PointCloud, reference)
        return moved ? { score: 1 / (1 + moved.distance), relaxed: moved.relaxed } : { score: 0, relaxed: false }
      })
    },
    figure: (row) => row.score,
    details: (rows) => ({ relaxed: rows.filter((row) => row.relaxed).length }),
  })
}

/** The tokens that are moved: no special ones, no punctuation, no later pieces of a word, no stop words. */
function words(
  { tokens, vectors, dimension, special }: TokenEmbeddings,
  stopWords: ReadonlySet<string>,
  weightOf: (token: string) => number = () => 1,
): PointCloud {
  const kept = tokens.flatMap((token, i) =>
    special[i] === 1 || token.startsWith("##") || stopWords.has(token) || /^[\p{P}\p{S}]+$/u.test(token) ? [] : [i],
  )
  const points = new Float64Array(kept.length * dimension)
  for (const [row, i] of kept.entries())
    points.set(vectors.subarray(i * dimension, (i + 1) * dimension), row * dimension)
  return { vectors: points, dimension, masses: Float64Array.from(kept, (i) => weightOf(tokens[i] as string)) }
}
