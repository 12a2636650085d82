import { UsageError } from "../../src/core/errors.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { codePoints } from "../text/code-points.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { ngramMatches, ngramTotal } from "../text/ngram-overlap.ts"
import { isSpace, splitWords } from "../text/python-text.ts"
import { recipe } from "../text/recipe.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { type StatisticsRow, sumMetric } from "../text/sum-metric.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link chrf}, named as sacreBLEU's. @public */
export interface ChrfOptions extends UnicodeOption {
  readonly name?: string
  /** Longest character n-gram; 6 by default. */
  readonly charOrder?: number
  /** Longest word n-gram: 0 (default) is chrF, 2 is chrF++. */
  readonly wordOrder?: number
  /** How many times as much recall counts as precision; 2 by default. */
  readonly beta?: number
  readonly lowercase?: boolean
  /** Whether white space is part of the character n-grams; false by default. */
  readonly whitespace?: boolean
  /** chrF++.py's smoothing instead of effective order; false by default. */
  readonly epsSmoothing?: boolean
}

/**
 * chrF (wordOrder 0) and chrF++ (wordOrder 2): F-score over character n-grams of orders 1..6, and word n-grams.
 * `value` is the score of the summed statistics; of several references, the best-matching one counts for each sample.
 *
 * Suits inflected and unsegmented languages better than BLEU. Misleads on short texts, where single letters always match.
 * White space is left out and orders without n-grams do not count. Characters are code points: an emoji family is several.
 *
 * Range 0..100, higher is better. Cost: linear in characters × charOrder. Paper: Popović 2015, 2017. Equal to sacreBLEU 2.6.
 * Row: [n-grams of the answer, n-grams of the reference, matches] for each order. Unscored: `no_reference`.
 *
 * @example
 * // output "the cat", references ["the cats"]
 * chrf() // 77.57
 * @public
 */
export function chrf(options: ChrfOptions = {}): Metric<StatisticsRow> {
  checkOptions("chrf", options)
  const { name = "chrf", charOrder = 6, wordOrder = 0, beta = 2 } = options
  const { lowercase = false, whitespace = false, epsSmoothing = false } = options
  if (!(Number.isInteger(charOrder) && Number.isInteger(wordOrder) && charOrder >= 1 && wordOrder >= 0 && beta > 0))
    throw new UsageError("charOrder must be an integer from 1, wordOrder an integer from 0, beta above 0", {
      where: `chrf({ charOrder: ${charOrder}, wordOrder: ${wordOrder}, beta: ${beta} })`,
    })
  const vocabulary = new Vocabulary()
  const prepare = (text: string): Prepared => {
    const line = lowercase ? text.toLowerCase() : text
    return {
      characters: codePoints(line, whitespace ? undefined : isSpace),
      words: wordOrder > 0 ? vocabulary.number(splitPunctuation(line)) : none,
    }
  }
  const figure = (statistics: ArrayLike<number>) => chrfFigure(statistics, beta, epsSmoothing)
  const metric = sumMetric({
    name,
    signature: signature("chrf", {
      nrefs: "var",
      case: lowercase ? "lc" : "mixed",
      eff: !epsSmoothing,
      nc: charOrder,
      nw: wordOrder,
      space: whitespace,
      ...(beta === 2 ? {} : { beta }),
    }),
    direction: "higher",
    range: [0, 100],
    size: 3 * (charOrder + wordOrder),
    recipe: recipe("chrf", { ...options }),
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      vocabulary.clear()
      const answer = prepare(generation.text)
      let best: StatisticsRow = []
      let bestFigure = -1
      for (const reference of references) {
        const prepared = prepare(reference)
        const row = [
          ...statisticsOf(answer.characters, prepared.characters, charOrder),
          ...statisticsOf(answer.words, prepared.words, wordOrder),
        ]
        const value = figure(row)
        if (value > bestFigure) {
          best = row
          bestFigure = value
        }
      }
      return best
    },
    score: figure,
    details: (sum) => ({ statistics: Array.from(sum) }),
  })
  return textMetric("chrf", options, comparing(options, metric))
}

interface Prepared {
  readonly characters: Int32Array
  readonly words: Int32Array
}

const none = new Int32Array(0)

function statisticsOf(answer: Int32Array, reference: Int32Array, maxOrder: number): number[] {
  const statistics: number[] = []
  if (maxOrder === 0) return statistics
  const matches = ngramMatches(answer, [reference], maxOrder)
  for (let order = 1; order <= maxOrder; order++) {
    const inReference = ngramTotal(reference.length, order)
    // An order that the reference lacks does not count against the answer.
    const inAnswer = inReference > 0 ? ngramTotal(answer.length, order) : 0
    statistics.push(inAnswer, inReference, matches[order - 1] as number)
  }
  return statistics
}

const asciiPunctuation = new Set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

/** Words with one sign of punctuation split off at the end, else at the beginning; "(hi)" gives "(hi" and ")". */
function splitPunctuation(text: string): string[] {
  const words: string[] = []
  for (const word of splitWords(text)) {
    const last = word.at(-1) as string
    const first = word.charAt(0)
    if (word.length === 1) words.push(word)
    else if (asciiPunctuation.has(last)) words.push(word.slice(0, -1), last)
    else if (asciiPunctuation.has(first)) words.push(first, word.slice(1))
    else words.push(word)
  }
  return words
}

const epsilon = 1e-16

/**
 * chrF of summed statistics, three numbers per order: n-grams of the answer, n-grams of the reference, matches.
 * Precision and recall are averaged over the orders that both sides have; with `epsSmoothing` the F-scores of all orders are.
 */
function chrfFigure(statistics: ArrayLike<number>, beta: number, epsSmoothing: boolean): number {
  const factor = beta ** 2
  const orders = statistics.length / 3
  let effective = 0
  let precisions = 0
  let recalls = 0
  let smoothed = 0
  for (let order = 0; order < orders; order++) {
    const inAnswer = statistics[3 * order] as number
    const inReference = statistics[3 * order + 1] as number
    const matches = statistics[3 * order + 2] as number
    const precision = inAnswer > 0 ? matches / inAnswer : epsilon
    const recall = inReference > 0 ? matches / inReference : epsilon
    const weighted = factor * precision + recall
    smoothed += weighted > 0 ? ((1 + factor) * precision * recall) / weighted : epsilon
    if (inAnswer > 0 && inReference > 0) {
      precisions += precision
      recalls += recall
      effective++
    }
  }
  if (epsSmoothing) return (100 * smoothed) / orders
  if (effective === 0 || precisions + recalls === 0) return 0
  const precision = precisions / effective
  const recall = recalls / effective
  return (100 * (1 + factor) * precision * recall) / (factor * precision + recall)
}
