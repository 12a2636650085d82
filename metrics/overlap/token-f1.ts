import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { unspacedLetter } from "../../src/text/language.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { squadTokens } from "../text/squad-normalize.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link tokenF1}. @public */
export interface TokenF1Options extends UnicodeOption {
  readonly name?: string
  /**
   * `whitespace` (default) as SQuAD, where a clause of a script without blanks is one word; `char`: each letter of these scripts is a word, and punctuation of any script is left out, as in MLQA's evaluation of Chinese.
   */
  readonly tokenize?: "whitespace" | "char"
}

/**
 * Token F1: the harmonic mean of precision and recall over the words that answer and reference share (as bags, after
 * SQuAD's normalisation); the best of several references. The summary is the mean.
 *
 * Misleads where order or negation matters: "not Paris" scores 0.67 against "Paris". Two texts without a word
 * after normalisation score 0, as in SQuAD 1.1 (SQuAD 2.0 says 1). SQuAD compares code points: é as one is not é as two, which the notes count;
 * `unicode` with `canonical` takes them as equal.
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Source: SQuAD's evaluate-v1.1.py (Rajpurkar et al. 2016).
 * Unscored: `no_reference`.
 *
 * @example
 * // output "a big red dog", references ["the red dog"]
 * tokenF1() // 0.8: two of three and two of two words
 * @public
 */
export function tokenF1(options: TokenF1Options = {}): Metric<number> {
  checkOptions("tokenF1", options)
  const { name = "tokenF1", tokenize = "whitespace" } = options
  const tokens = tokenize === "char" ? charTokens : squadTokens
  const metric = meanMetric({
    name,
    signature: signature("tokenF1", { refs: "best", norm: "squad1.1", ...(tokenize === "char" && { tok: "char" }) }),
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const answer = tokens(generation.text)
      return Math.max(...references.map((reference) => f1(answer, tokens(reference))))
    },
  })
  const instead =
    options.tokenize === undefined ? 'tokenF1({ tokenize: "char" }) and chrf() compare characters' : undefined
  return textMetric("tokenF1", options, comparing({ ...options, instead, isReference: true }, metric))
}

const piece = new RegExp(`${unspacedLetter}\\p{M}*|(?:(?!${unspacedLetter})[\\s\\S])+`, "gu")

/** SQuAD's words, and each letter of a script without blanks by itself. */
function charTokens(text: string): readonly string[] {
  return squadTokens(text.replace(/\p{P}/gu, "")).flatMap((word) => word.match(piece) ?? [])
}

function f1(answer: readonly string[], reference: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of reference) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of answer) {
    const count = left.get(word) ?? 0
    if (count > 0) {
      shared++
      left.set(word, count - 1)
    }
  }
  if (shared === 0) return 0
  const precision = shared / answer.length
  const recall = shared / reference.length
  return (2 * precision * recall) / (precision + recall)
}
