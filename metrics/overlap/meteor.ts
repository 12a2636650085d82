import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { splitWords } from "../text/python-text.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { tokenize13a } from "../text/tokenize-13a.ts"
import { loadWordNet, type WordNet } from "../wordnet/wordnet.ts"
import { meteorAlignment } from "./meteor-alignment.ts"
import { type MeteorWeights, meteorFigure, meteorWeights } from "./meteor-figure.ts"

/** Options of {@link meteor}. @public */
export interface MeteorOptions extends MeteorWeights, UnicodeOption {
  readonly name?: string
  /** `whitespace` (default) as Python's `split()`, or `13a` as sacreBLEU. */
  readonly tokenize?: "whitespace" | "13a"
  /** Whether WordNet's synonyms match; true by default. English only. */
  readonly synonyms?: boolean
}

/**
 * METEOR: weighted F of matched words (equal, equal stem, synonym), less a penalty for matches in scattered pieces. The best
 * of several references; the summary is the mean.
 *
 * Equal to NLTK 3.8's with WordNet 3.0, including its peculiarities: identical texts score just below 1 (0.9993 for nine words, 0.5
 * for one); words are matched greedily from the end, not with the fewest crossings; punctuation stays attached to words unless
 * `tokenize: "13a"`. Other versions of METEOR (1.5 with paraphrase tables) give other numbers. Stems and
 * synonyms are English; for other languages see {@link meteorStems}.
 *
 * Range 0..1, higher is better. Cost: linear in words; WordNet (6 MB) is read when the first answer is measured. Paper:
 * Banerjee & Lavie 2005. Unscored: `no_reference`, and `language` for texts without blanks, unless `tokenize` is stated.
 *
 * Misleads across versions, and for right answers in other words that WordNet does not have as synonyms.
 *
 * @example
 * // output "the cat sat on the mat", references ["on the mat sat the cat"]
 * meteor() // 0.5
 * @public
 */
export function meteor(options: MeteorOptions = {}): Metric<number> {
  checkOptions("meteor", options)
  const { name = "meteor", tokenize = "whitespace", synonyms = true } = options
  const weights = meteorWeights(options, "meteor")
  const words = tokenize === "13a" ? tokenize13a : splitWords
  const vocabulary = new Vocabulary()
  const score = (answer: readonly string[], reference: readonly string[], wordNet: WordNet | null): number => {
    const synonymsOf = wordNet === null ? null : (word: string) => wordNet.synonyms(word)
    const alignment = meteorAlignment(answer, reference, { synonyms: synonymsOf }, vocabulary)
    return meteorFigure(alignment, answer.length, reference.length, weights)
  }
  let wordNet: WordNet | null = null
  const instead =
    options.tokenize === undefined ? 'chrf() and bleu({ tokenize: "char" }) compare characters' : undefined
  const metric = meanMetric({
    name,
    signature: signature("meteor", {
      refs: "best",
      ...weights,
      tok: tokenize,
      stem: "porter-nltk",
      synonyms: synonyms ? "wordnet-3.0" : "no",
    }),
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const lower = (text: string) => words(text).map((word) => word.toLowerCase())
      const best = () => {
        const answer = lower(generation.text)
        return Math.max(...references.map((reference) => score(answer, lower(reference), wordNet)))
      }
      if (!synonyms || wordNet !== null) return best()
      return loadWordNet().then((loaded) => {
        wordNet = loaded
        return best()
      })
    },
  })
  return comparing({ ...options, instead }, metric)
}
