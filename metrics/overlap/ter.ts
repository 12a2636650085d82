import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { stripEnd } from "../text/python-text.ts"
import { recipe } from "../text/recipe.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { type StatisticsRow, sumMetric } from "../text/sum-metric.ts"
import { textMetric } from "../text/text-measure.ts"
import { tercomTokenizer } from "./tercom-tokenizer.ts"
import { translationEdits } from "./translation-edits.ts"

/** Options of {@link ter}, named as sacreBLEU's; all false by default. @public */
export interface TerOptions extends UnicodeOption {
  readonly name?: string
  /** Separate punctuation from words before they are compared. */
  readonly normalized?: boolean
  readonly noPunctuation?: boolean
  /** Extend `normalized` and `noPunctuation` to Chinese and Japanese. */
  readonly asianSupport?: boolean
  readonly caseSensitive?: boolean
}

/**
 * TER, translation edit rate: insertions, deletions, substitutions and shifts of word blocks that turn the answer into its
 * closest reference, per 100 words of the references' mean length.
 *
 * Penalises any different wording, and long answers without limit. The search for shifts is greedy, within
 * a beam of 25, shifts of 10 words over 50, and 1,000 candidates per pair, as in Tercom and sacreBLEU.
 *
 * Range 0..∞, lower is better; 100 when an answer has words and all references are empty. Cost: linear in words × beam per
 * candidate. Paper: Snover et al. 2006. Equal to sacreBLEU 2.6. Row: [edits, mean reference length]. Unscored: `no_reference`.
 *
 * @example
 * // output "a b c d", references ["b c d a"]
 * ter() // 25: one shift, four words
 * @public
 */
export function ter(options: TerOptions = {}): Metric<StatisticsRow> {
  checkOptions("ter", options)
  const { name = "ter", normalized = false, noPunctuation = false } = options
  const { asianSupport = false, caseSensitive = false } = options
  const tokenize = tercomTokenizer({ normalized, noPunctuation, asianSupport, caseSensitive })
  const vocabulary = new Vocabulary()
  const words = (text: string) => tokenize(stripEnd(text))
  // sacreBLEU prepares references twice, which makes a difference where normalizing twice changes more than once, as in "dog's\t".
  const referenceWords = (text: string) => (normalized ? tokenize(words(text).join(" ")) : words(text))
  const metric = sumMetric({
    name,
    signature: signature("ter", {
      nrefs: "var",
      case: caseSensitive ? "mixed" : "lc",
      tok: "tercom",
      norm: normalized,
      punct: !noPunctuation,
      asian: asianSupport,
    }),
    direction: "lower",
    range: [0, Number.POSITIVE_INFINITY],
    size: 2,
    recipe: recipe("ter", { ...options }),
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      vocabulary.clear()
      const answer = vocabulary.number(words(generation.text))
      let min = Number.POSITIVE_INFINITY
      let length = 0
      for (const reference of references) {
        const expected = vocabulary.number(referenceWords(reference))
        min = Math.min(min, translationEdits(answer, expected))
        length += expected.length
      }
      return [min, length / references.length]
    },
    score: rate,
    details: (sum) => ({ edits: sum[0] as number, referenceLength: sum[1] as number }),
  })
  const instead =
    options.asianSupport === undefined
      ? "chrf() compares characters; so does ter({ normalized: true, asianSupport: true }) of Chinese and Japanese"
      : undefined
  return textMetric("ter", options, comparing({ ...options, instead, isReference: true }, metric))
}

function rate(statistics: ArrayLike<number>): number {
  const edits = statistics[0] as number
  const length = statistics[1] as number
  if (length > 0) return 100 * (edits / length)
  return edits > 0 ? 100 : 0
}
