import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { inputText, statesEmpty } from "../../src/core/sample.ts"
import { claimSources, claimSourcesReply, supportWords } from "./claim-sources.ts"
import { type JudgedMetricOptions, type JudgedRow, judgedMetric, judgedRow } from "./judged-metric.ts"

/**
 * Context recall by a judge: a model splits the reference into claims and says which passages support each; the value is the
 * share of claims that any passage supports. What retrieval did not find, no answer can rest on.
 *
 * Sees paraphrases and conclusions, which {@link contextRecall} (words in common) misses; that form in turn cannot be talked into
 * anything, costs nothing, and is the better one where passages repeat the reference's words. A property of the retrieval and the
 * first reference, not of the answer: variants with the same passages share the verdict and its cost. Range 0..1, higher is better;
 * the summary is the mean. Cost: one call an answer. Source: Ragas' context recall. Unscored: `no_context`, `no_reference`,
 * `no_claims`, `judge_failed`, `judge_refused`, `judge_unparseable`.
 *
 * @example
 * // context ["Ada was born in London."], references ["Ada was born in London in 1815."]: claims "born in London" and "born in 1815"
 * judged.contextRecall({ provider: openai({ model: "gpt-4o-mini" }) }) // 0.5
 * @public
 */
export function judgedContextRecall(options: JudgedMetricOptions): Metric<JudgedRow> {
  checkOptions("judgedContextRecall", options)
  return judgedMetric({
    figure: "judgedContextRecall",
    options,
    facts: { claims: "reference" },
    replies: [claimSourcesReply],
    async measure([parameters = {}], sample, _generation, tools) {
      const [reference = ""] = sample.references
      const isEmpty = statesEmpty(sample, "context")
      if (sample.context.length === 0 && !isEmpty) return unscored("no_context", "the sample has no passages")
      if (reference.trim() === "") return unscored("no_reference")
      if (isEmpty) return judgedRow(0, [])
      const asked = { options, parameters, question: inputText(sample), text: reference, sources: sample.context }
      const reply = await claimSources(asked, tools)
      if ("status" in reply) return reply
      const claims = reply.value
      if (claims.length === 0) return unscored("no_claims", "the judge found no claim in the reference")
      const supported = claims.filter(({ sources }) => sources.length > 0).length
      return judgedRow(
        supported / claims.length,
        claims.map(({ claim, sources }) => ({ said: supportWords(sources), of: claim })),
      )
    },
  })
}
