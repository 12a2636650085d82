import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { type LanguageCode, languageOf } from "../text/languages/language.ts"
import { loadStemmer, type Stem, stemmerIdentity } from "../text/languages/stemmer.ts"
import { wordsOf } from "../text/languages/words.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { meteorAlignment } from "./meteor-alignment.ts"
import { type MeteorWeights, meteorFigure, meteorWeights } from "./meteor-figure.ts"

/** Options of {@link meteorStems}. @public */
export interface MeteorStemsOptions extends MeteorWeights {
  readonly name?: string
  /** The language of the texts; for English take {@link meteor}. */
  readonly language: LanguageCode
}

/**
 * METEOR's matching by equal words and equal stems, without synonyms: weighted F of the matched words, less a penalty for
 * matches in scattered pieces. For languages that WordNet does not cover. The best of several references; the summary is the
 * mean.
 *
 * Not comparable with {@link meteor} of English texts, nor with METEOR 1.5, which has paraphrase tables: a synonym counts as a
 * miss here. Equal to NLTK's meteor_score with the language's stemmer and no synonyms. Identical texts score just below 1.
 * Punctuation does not count.
 *
 * Range 0..1, higher is better. Cost: linear in words; the stemmer is loaded when the first answer is measured. Paper:
 * Banerjee & Lavie 2005. Unscored: `no_reference`.
 *
 * @throws {UsageError} for an unknown language, one without a stemmer, or weights out of range
 * @example
 * // output "Les maisons anciennes", references ["La maison ancienne"]
 * meteorStems({ language: "fr" }) // 0.625: two stems in one piece
 * @public
 */
export function meteorStems(options: MeteorStemsOptions): Metric<number> {
  checkOptions("meteorStems", options)
  const { name = "meteorStems", language } = options
  languageOf(language, "meteorStems({ language })")
  const weights = meteorWeights(options, "meteorStems")
  const vocabulary = new Vocabulary()
  let loaded: Stem | null = null
  const best = (text: string, references: readonly string[], stem: Stem) => {
    const answer = wordsOf(text)
    const figures = references.map((other) => {
      const reference = wordsOf(other)
      return meteorFigure(
        meteorAlignment(answer, reference, { stem }, vocabulary),
        answer.length,
        reference.length,
        weights,
      )
    })
    return Math.max(...figures)
  }
  return meanMetric({
    name,
    signature: signature("meteorStems", {
      refs: "best",
      ...weights,
      lang: language,
      tok: "words-unicode",
      stages: "exact+stem",
      stem: stemmerIdentity(language, true, "meteorStems({ language })"),
    }),
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      if (loaded !== null) return best(generation.text, references, loaded)
      return loadStemmer(language).then((stem) => {
        loaded = stem
        return best(generation.text, references, stem)
      })
    },
  })
}
