import type { Generation } from "../src/core/generation.ts"
import { contentHash } from "../src/core/json.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import type { UnscoredCode } from "../src/core/metric/unscored-code.ts"
import type { Sample } from "../src/core/sample.ts"

/**
 * What an answer is compared with: the sample's first reference, a text that the sample brings (the stored answers of a
 * baseline), or what a variant of the same run answered.
 * @experimental
 */
export type Against = "reference" | { readonly variant: string } | ((sample: Sample) => string | null)

/** The text to compare with, or why there is none. */
export function otherText(
  against: Against,
  sample: Sample,
  generation: Generation,
  tools: Pick<MetricTools, "answerOf">,
): { readonly text: string } | { readonly missing: UnscoredCode } {
  if (against === "reference") return presentText(sample.references[0], "no_reference")
  if (typeof against === "function") return presentText(against(sample), "nothing_to_compare_with")
  if (against.variant === generation.variant) return { missing: "compared_with_itself" }
  return presentText(tools.answerOf?.(against.variant), "nothing_to_compare_with")
}

/** The part of a signature that says what answers were compared with. */
export function againstName(against: Against): string {
  if (against === "reference") return "reference"
  return typeof against === "function" ? `function ${contentHash(String(against), 8)}` : `variant ${against.variant}`
}

function presentText(
  text: string | null | undefined,
  code: UnscoredCode,
): { readonly text: string } | { readonly missing: UnscoredCode } {
  return typeof text === "string" ? { text } : { missing: code }
}
