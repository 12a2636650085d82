import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { numeralsOf } from "../../src/text/reading/numeral.ts"
import { rowMetric } from "../row-metric.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { squadNormalize } from "../text/squad-normalize.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link exactMatch}. @public */
export interface ExactMatchOptions extends UnicodeOption {
  readonly name?: string
  /**
   * `squad` (default) compares after SQuAD's normalisation, `numbers` does so but for numbers, which must be equal as numbers ("-5" is not
   * "5", "3.14" is not "314", "1,200" is "1200"), `none` compares the texts as they are.
   */
  readonly normalize?: "squad" | "numbers" | "none"
}

/** 1 or 0; with a mark where the texts are equal and their numbers are not. @experimental */
export type ExactRow = number | { readonly value: 1; readonly numbersDiffer: true }

/**
 * Exact match: 1 when the answer equals any reference, else 0; the summary is the share of exact answers.
 *
 * Misleads where right answers have many wordings: one extra word scores 0. Note that SQuAD's normalisation makes any
 * two texts equal that consist of articles and ASCII punctuation only, and takes signs and points out of numbers: -5 equals 5, and 3.14
 * equals 314. The details count the answers that are right only so (`numbersMadeEqual`); `normalize` with `numbers` compares them as numbers.
 * Letters are compared in canonical form, unless `normalize` is stated as `squad` or `none`: SQuAD's own rule compares code points.
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Source: SQuAD's evaluate-v1.1.py (Rajpurkar et al. 2016).
 * Unscored: `no_reference`.
 *
 * @example
 * // output "The Eiffel Tower!", references ["Eiffel tower"]
 * exactMatch() // 1
 * @public
 */
export function exactMatch(options: ExactMatchOptions = {}): Metric<ExactRow> {
  checkOptions("exactMatch", options)
  const { name = "exactMatch", normalize = "squad" } = options
  const { unicode = options.normalize === undefined || normalize === "numbers" ? "canonical" : "none" } = options
  const normalized = { squad: squadNormalize, numbers: normalizeNumbers, none: (text: string) => text }[normalize]
  const metric = rowMetric<ExactRow>({
    name,
    signature: signature("exactMatch", { refs: "any", norm: normalize }),
    range: [0, 1],
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const answer = normalized(generation.text)
      const equal = references.filter((reference) => normalized(reference) === answer)
      const isMade = normalize === "squad" && equal.length > 0 && /\p{Nd}/u.test(answer)
      return isMade && equal.every((reference) => !sameNumbers(reference, generation.text))
        ? { value: 1, numbersDiffer: true }
        : Number(equal.length > 0)
    },
    value: (row) => (typeof row === "number" ? row : row.value),
    details(rows) {
      const numbersMadeEqual = rows.filter((row) => typeof row === "object").length
      return numbersMadeEqual === 0 ? undefined : { numbersMadeEqual }
    },
  })
  return textMetric("exactMatch", options, comparing({ unicode }, metric))
}

function numbersOf(text: string): string {
  return Array.from(numeralsOf(text), ({ decimal }) => decimal).join(" ")
}

function sameNumbers(first: string, second: string): boolean {
  return numbersOf(first) === numbersOf(second)
}

/** SQuAD's normalisation of the words, and the numbers behind them. */
function normalizeNumbers(text: string): string {
  let words = ""
  let from = 0
  for (const { start, end } of numeralsOf(text)) {
    words += `${text.slice(from, start)} `
    from = end
  }
  return `${squadNormalize(words + text.slice(from))} ${numbersOf(text)}`
}
