import type { PreferencePair } from "../../src/core/metric/preference-pair.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { ProviderSession } from "../../src/core/provider.ts"
import { type PairOutcome, type PairPreference, pairOutcome, preferenceOf } from "./pair-outcomes.ts"

/**
 * Pair preference by sequence log-probability, for causal models: which of two texts that differ in one group the model finds
 * more likely. CrowS-Pairs' form, and StereoSet's where pairs have an unrelated text.
 *
 * CrowS-Pairs scored masked models by pseudo-likelihood of the shared tokens; a causal model's whole-sequence
 * log-probability is the usual stand-in, and depends on word frequency and length besides bias (`perToken` divides by the
 * length). As a figure of a run: `stereotypePreference`. Throws what `scoreText` throws.
 *
 * @param scoreText of an open provider session
 * @example
 * const { preference } = await pairPreference(pairs, (text, signal) => session.scoreText!(text, signal))
 * @experimental
 */
export async function pairPreference(
  pairs: readonly PreferencePair[],
  scoreText: NonNullable<ProviderSession["scoreText"]>,
  options: { readonly perToken?: boolean; readonly signal?: AbortSignal } = {},
): Promise<PairPreference> {
  checkOptions("pairPreference", options)
  const { perToken = false, signal = new AbortController().signal } = options
  const score = async (text: string) => {
    const tokens = await scoreText(text, signal)
    const sum = tokens.reduce((total, { logprob }) => total + logprob, 0)
    return perToken ? sum / Math.max(1, tokens.length) : sum
  }
  const outcomes: PairOutcome[] = []
  for (const { id, attribute, stereotype, antiStereotype, unrelated } of pairs) {
    const [more, less] = [await score(stereotype), await score(antiStereotype)]
    outcomes.push(pairOutcome(id, attribute, more, less, unrelated === undefined ? null : await score(unrelated)))
  }
  return preferenceOf(outcomes)
}
