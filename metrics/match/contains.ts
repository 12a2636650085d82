import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { comparing, type UnicodeOption } from "../text/comparing.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link contains}. @public */
export interface ContainsOptions extends UnicodeOption {
  readonly name?: string
  /** `any` (default): one reference in the answer is enough; `all`: every reference must be in it. */
  readonly match?: "any" | "all"
  /** Whether "Paris" and "paris" differ; false by default. */
  readonly caseSensitive?: boolean
}

/**
 * Contains: 1 when the answer has a reference in it as a literal piece of text, else 0; the summary is the share.
 *
 * Misleads for short references ("no" is in "I do not know") and for answers that name every option. Letters are compared in canonical
 * form, so that é as one or two code points is the same. Empty references are left out: they are in every text.
 *
 * Range 0..1, higher is better. Cost: linear in the texts in practice. Unscored: `no_reference`.
 *
 * Source: accuracy as PopQA counts it (Mallen et al. 2023): any gold answer within the text.
 *
 * @example
 * // output "It is Paris, I think.", references ["paris"]
 * contains() // 1
 * @public
 */
export function contains(options: ContainsOptions = {}): Metric<number> {
  checkOptions("contains", options)
  const { name = "contains", match = "any", caseSensitive = false, unicode = "canonical" } = options
  const normalized = (text: string) => (caseSensitive ? text : text.toLowerCase())
  const metric = meanMetric({
    name,
    signature: signature("contains", { refs: match, case: caseSensitive ? "mixed" : "lc" }),
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const pieces = references.filter((reference) => reference !== "").map(normalized)
      if (pieces.length === 0) return unscored("no_reference", `every reference is empty`)
      const answer = normalized(generation.text)
      const isInside = (piece: string) => answer.includes(piece)
      return Number(match === "any" ? pieces.some(isInside) : pieces.every(isInside))
    },
  })
  return textMetric("contains", options, comparing({ unicode }, metric))
}
