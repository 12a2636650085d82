import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { exactPoints, type MoverDistance, moverDistance, type PointCloud } from "./mover-texts.ts"
import { referenceMetric } from "./reference-metric.ts"
import { type EmbedderOption, embedTexts } from "./use-embedder.ts"

/** Options of {@link wordMoversDistance}. @public */
export interface WordMoversDistanceOptions extends EmbedderOption {
  readonly name?: string
  /** Lower-case words that are left out; the paper leaves out function words. Default: none. */
  readonly stopWords?: readonly string[]
}

/**
 * Word Mover's Distance: the cost of moving the words of the answer onto those of the reference, each distinct word weighing
 * its share of the text; the smallest over several references. The summary is the mean.
 *
 * A bag of words: order and negation do not matter. Words are lower-cased runs of letters and digits, each embedded by itself (the
 * paper had word2vec) at length 1. Texts over 400 distinct words get the relaxed lower bound, counted in the details.
 *
 * Range 0..2, lower is better. Cost: one pass of the model per distinct word, kept in the store, and a transport problem. Paper:
 * Kusner et al. 2015. Unscored: `no_reference`, `empty_output`, `missing_package`, `model_unavailable`.
 *
 * @example
 * // output "the cat sat", references ["sat the cat"]
 * wordMoversDistance() // 0
 * @public
 */
export function wordMoversDistance(options: WordMoversDistanceOptions = {}): Metric<MoverDistance> {
  checkOptions("wordMoversDistance", options)
  const left = new Set(options.stopWords)
  return referenceMetric({
    options,
    name: "wordMoversDistance",
    facts: { stop: left.size, transport: `exact<=${exactPoints}` },
    direction: "lower",
    range: [0, 2],
    texts(text, references) {
      const answer = wordShares(text, left)
      if (answer.size === 0) return unscored("empty_output", "the answer has no words")
      const others = references.map((reference) => wordShares(reference, left)).filter(({ size }) => size > 0)
      if (others.length === 0) return unscored("no_reference", `the references have no words`)
      return { answer, others }
    },
    async rows({ answer, others }, embedder, tools) {
      const words = [...new Set([answer, ...others].flatMap((text) => [...text.keys()]))]
      const vectors = await embedTexts(embedder, words, tools)
      const vectorOf = new Map(words.map((word, i) => [word, vectors[i] as Float32Array]))
      const from = pointsOf(answer, vectorOf)
      return others.map((other) => moverDistance(from, pointsOf(other, vectorOf)) as MoverDistance)
    },
    figure: (row) => row.distance,
    details: (rows) => ({ relaxed: rows.filter((row) => row.relaxed).length }),
  })
}

function wordShares(text: string, stopWords: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    if (!stopWords.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function pointsOf(counts: ReadonlyMap<string, number>, vectorOf: ReadonlyMap<string, Float32Array>): PointCloud {
  const vectors = [...counts.keys()].map((word) => vectorOf.get(word) as Float32Array)
  const dimension = vectors[0]?.length ?? 0
  const points = new Float64Array(vectors.length * dimension)
  for (const [i, vector] of vectors.entries()) points.set(vector, i * dimension)
  return { vectors: points, dimension, masses: Float64Array.from(counts.values()) }
}
