import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { checkClaims, claimsReply } from "../hallucination/check-claims.ts"
import type { Offence } from "../hallucination/detector-row.ts"
import { defaultMaxCharacters } from "./ask-json.ts"
import { type JudgedMetricOptions, type JudgedRow, judgedMetric, judgedRow } from "./judged-metric.ts"

/** One answer's claims; the sentences of those that are not supported are marked in the report. @public */
export type FaithfulnessRow = JudgedRow & { readonly offences: readonly Offence[] }

/**
 * Faithfulness by claims: a model splits the answer into claims and checks each against the passages; the value is the share that they
 * support. `evalkit show RUN SAMPLE` and the page list every claim with its verdict.
 *
 * {@link groundedness} (words and facts in common) is free and cannot be talked into anything, but calls a paraphrase unsupported and
 * right words put together wrongly supported; a cosine of answer and passages is high for any answer on the subject, false ones
 * included. This form is no better than its model, which may split one claim in two, and counts a small claim as much as the main one. Faithful is not
 * right: passages may be wrong. Range 0..1, higher is better; the summary is the mean. Cost: one call an answer, shared with
 * {@link unsupportedClaims}, which gives the rate of answers with an unsupported claim. Source: Es et al. 2023 (Ragas), faithfulness.
 * Unscored: `no_context`, `empty_output`, `no_claims`, `claims_failed`, `claims_unparseable`.
 *
 * @example
 * // context ["Ada was born in London."], output "Ada was born in London. She died in Rome."
 * judged.faithfulness({ provider: openai({ model: "gpt-4o-mini" }) }) // 0.5
 * @public
 */
export function judgedFaithfulness(options: JudgedMetricOptions): Metric<FaithfulnessRow> {
  checkOptions("judgedFaithfulness", options)
  return judgedMetric<FaithfulnessRow>({
    figure: "judgedFaithfulness",
    options,
    facts: { claims: "answer" },
    prompt: 2,
    replies: [claimsReply],
    async measure([parameters = {}], sample, generation, tools) {
      const { provider, maxCharacters = defaultMaxCharacters } = options
      if (sample.context.length === 0) return unscored("no_context", "the sample has no passages")
      const result = await checkClaims({ provider, parameters, maxCharacters }, sample, generation.text, tools)
      if ("status" in result) return result
      const { claims, checks, offences } = result.value
      if (claims.length === 0) return unscored("no_claims", "the judge found no claim in the answer")
      const supported = claims.filter((claim) => claim.supported).length
      return { ...judgedRow(supported / claims.length, checks), offences }
    },
  })
}
