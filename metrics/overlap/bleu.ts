import { UsageError } from "../../src/core/errors.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { Vocabulary } from "../../src/text/vocabulary.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { ngramMatches, ngramTotal } from "../text/ngram-overlap.ts"
import { stripEnd } from "../text/python-text.ts"
import { recipe } from "../text/recipe.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { sacrebleuTokenizers, type Tokenizer, type TokenizerName } from "../text/sacrebleu-tokenizers.ts"
import { signature } from "../text/signature.ts"
import { type StatisticsRow, sumMetric } from "../text/sum-metric.ts"
import { textMetric } from "../text/text-measure.ts"
import { number13a, tokenize13a } from "../text/tokenize-13a.ts"
import { type BleuSmoothing, bleuFigure } from "./bleu-figure.ts"

/** Options of {@link bleu}, named as sacreBLEU's. @public */
export interface BleuOptions extends UnicodeOption {
  readonly name?: string
  /**
   * `13a` (default), `intl`, `char`, `zh`, `none`; or a tokenizer of your own (Japanese, Korean) with its name for
   * the signature.
   */
  readonly tokenize?: TokenizerName | { readonly name: string; readonly tokenize: Tokenizer }
  /** What an order without a match counts as: `exp` (default), `floor`, `add-k`, or `none`. */
  readonly smooth?: BleuSmoothing["smooth"]
  /** The floor (default 0.1) or the k (default 1). */
  readonly smoothValue?: number
  readonly lowercase?: boolean
  /** Whether a corpus too short for an order leaves that order out; false by default. Sentence scores always do. */
  readonly effectiveOrder?: boolean
  /** Longest n-gram; 4 by default, 1..16. */
  readonly maxOrder?: number
}

/**
 * BLEU: the geometric mean of the n-gram precisions of all answers together, times a penalty for brevity. `value` is
 * corpus BLEU; a single row's value is sentence BLEU with effective order.
 *
 * Misleads on single sentences, across languages and tokenizers (compare only equal signatures), and where right
 * answers may be worded freely. An answer that shares no word with its references scores 0 even if it is right. Each sample may
 * have any number of references; the brevity penalty takes the one closest in length.
 *
 * Range 0..100, higher is better. Cost: linear in tokens × maxOrder. Paper: Papineni et al. 2002; Post 2018 for the
 * signature. Equal to sacreBLEU 2.6. Row: [answer length, reference length, matches by order …, n-grams by order …].
 * Unscored: `no_reference`.
 *
 * @example
 * // output "the cat sat on the mat", references ["the cat is on the mat"]
 * bleu() // 37.99 (precisions 83.3, 60, 25, 16.7 after smoothing)
 * @public
 */
export function bleu(options: BleuOptions = {}): Metric<StatisticsRow> {
  checkOptions("bleu", options)
  const { name = "bleu", smooth = "exp", lowercase = false, effectiveOrder = false, maxOrder = 4 } = options
  if (!Number.isInteger(maxOrder) || maxOrder < 1 || maxOrder > 16)
    throw new UsageError("maxOrder must be an integer of 1 to 16", { where: `bleu({ maxOrder: ${maxOrder} })` })
  const tokenizer = tokenizerOf(options.tokenize ?? "13a")
  const smoothing: BleuSmoothing = { smooth, value: options.smoothValue ?? (smooth === "floor" ? 0.1 : 1) }
  const vocabulary = new Vocabulary()
  const tokensOf = (text: string) => {
    const line = stripEnd(lowercase ? text.toLowerCase() : text)
    return tokenizer.tokenize === tokenize13a
      ? number13a(line, vocabulary)
      : vocabulary.number(tokenizer.tokenize(line))
  }
  const shown = smooth === "floor" || smooth === "add-k" ? `${smooth}[${smoothing.value.toFixed(2)}]` : smooth
  const metric = sumMetric({
    name,
    signature: signature("bleu", {
      nrefs: "var",
      case: lowercase ? "lc" : "mixed",
      eff: effectiveOrder,
      tok: tokenizer.name,
      smooth: shown,
      ...(maxOrder === 4 ? {} : { order: maxOrder }),
    }),
    direction: "higher",
    range: [0, 100],
    size: 2 + 2 * maxOrder,
    recipe: recipe("bleu", { ...options, ...(typeof options.tokenize === "object" && { tokenize: "none" }) }),
    measure(sample, generation) {
      const texts = referencesOf(sample)
      if (isUnscored(texts)) return texts
      vocabulary.clear()
      const answer = tokensOf(generation.text)
      const references = texts.map(tokensOf)
      const totals = Array.from({ length: maxOrder }, (_, n) => ngramTotal(answer.length, n + 1))
      return [
        answer.length,
        closestLength(answer.length, references),
        ...ngramMatches(answer, references, maxOrder),
        ...totals,
      ]
    },
    score: (sum) => bleuFigure(sum, maxOrder, smoothing, effectiveOrder).score,
    sentence: (row) => bleuFigure(row, maxOrder, smoothing, true).score,
    details: (sum) => ({ ...bleuFigure(sum, maxOrder, smoothing, effectiveOrder) }),
  })
  const instead =
    options.tokenize === undefined
      ? 'bleu({ tokenize: "zh" }) compares Chinese, bleu({ tokenize: "char" }) and chrf() any'
      : undefined
  return textMetric("bleu", options, comparing({ ...options, instead, isReference: true }, metric))
}

function tokenizerOf(tokenize: NonNullable<BleuOptions["tokenize"]>) {
  if (typeof tokenize !== "string") return tokenize
  return { name: tokenize, tokenize: sacrebleuTokenizers[tokenize] }
}

/** The reference length closest to the answer's; the shorter of two that are equally close. */
function closestLength(length: number, references: readonly ArrayLike<number>[]): number {
  let closest = Number.POSITIVE_INFINITY
  for (const reference of references) {
    const closer = Math.abs(reference.length - length) - Math.abs(closest - length)
    if (closer < 0 || (closer === 0 && reference.length < closest)) closest = reference.length
  }
  return closest
}
