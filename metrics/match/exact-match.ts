import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions, type OptionKinds } from "../../src/core/options.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { squadNormalize } from "../text/squad-normalize.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link exactMatch}. @public */
export interface ExactMatchOptions {
  readonly name?: string
  /** `squad` (default) compares after SQuAD's normalisation, `none` compares the texts as they are. */
  readonly normalize?: "squad" | "none"
}

const exactMatchOptions: OptionKinds<ExactMatchOptions> = { name: "text", normalize: { squad: "word", none: "word" } }

/**
 * Exact match: 1 when the answer equals any reference, else 0; the summary is the share of exact answers.
 *
 * Misleads where right answers have many wordings: one extra word scores 0. Note that SQuAD's normalisation makes any
 * two texts equal that consist of articles and ASCII punctuation only.
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Source: SQuAD's evaluate-v1.1.py (Rajpurkar et al. 2016).
 * Unscored: `no_reference`.
 *
 * @example
 * // output "The Eiffel Tower!", references ["Eiffel tower"]
 * exactMatch() // 1
 * @public
 */
export function exactMatch(options: ExactMatchOptions = {}): Metric<number> {
  checkOptions("exactMatch", options, exactMatchOptions)
  const { name = "exactMatch", normalize = "squad" } = options
  const normalized = normalize === "squad" ? squadNormalize : (text: string) => text
  const metric = meanMetric({
    name,
    signature: signature("exactMatch", { refs: "any", norm: normalize }),
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const answer = normalized(generation.text)
      return Number(references.some((reference) => normalized(reference) === answer))
    },
  })
  return textMetric("exactMatch", options, metric)
}
