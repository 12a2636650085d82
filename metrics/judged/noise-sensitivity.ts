import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { inputText } from "../../src/core/sample.ts"
import { claimSources, claimSourcesReply, supportWords } from "./claim-sources.ts"
import { type JudgedMetricOptions, type JudgedRow, judgedMetric, judgedRow } from "./judged-metric.ts"

/** Options of {@link judgedNoiseSensitivity}. @public */
export interface JudgedNoiseSensitivityOptions extends JudgedMetricOptions {
  /**
   * Which passages the errors come from: `relevant` ones, which support a claim of the reference (default), or `irrelevant` ones, which
   * support none.
   */
  readonly from?: "relevant" | "irrelevant"
}

/**
 * Noise sensitivity by a judge: the share of the answer's claims that are wrong by the reference and that a passage nevertheless
 * supports: what the model took over from what it was given. With `from: "relevant"` from passages that also hold something of the
 * reference, with `"irrelevant"` from the others alone; a claim that both support counts as relevant.
 *
 * {@link noiseSensitivity} (words in common) counts true statements that go beyond the reference as noise, too, and overlooks what was said
 * in other words. A claim that the reference does not hold is wrong here as well, be it true: give full references. Claims that no passage
 * supports are no noise but invention: see {@link judgedFaithfulness}. Range 0..1, lower is better; the summary is the mean. Cost: two
 * calls an answer, the one about the reference shared by variants with the same passages and by {@link judgedContextRecall}. Source: Ragas'
 * noise sensitivity. Unscored: `no_context`, `no_reference`, `empty_output`, `no_claims`, `judge_failed`, `judge_refused`,
 * `judge_unparseable`.
 *
 * @throws UsageError for another `from`
 * @example
 * // 4 claims, 1 of them wrong and supported by a passage that supports a claim of the reference, too
 * judged.noiseSensitivity({ provider: openai({ model: "gpt-4o-mini" }) }) // 0.25
 * @public
 */
export function judgedNoiseSensitivity(options: JudgedNoiseSensitivityOptions): Metric<JudgedRow> {
  checkOptions("judgedNoiseSensitivity", options)
  const { from = "relevant" } = options
  return judgedMetric({
    figure: "judgedNoiseSensitivity",
    options,
    direction: "lower",
    facts: { from },
    replies: [claimSourcesReply, claimSourcesReply],
    async measure([parameters = {}], sample, generation, tools) {
      const { context } = sample
      const [reference = ""] = sample.references
      if (context.length === 0) return unscored("no_context", "the sample has no passages")
      if (reference.trim() === "") return unscored("no_reference")
      if (generation.text.trim() === "") return unscored("empty_output")
      const asked = { options, parameters, question: inputText(sample) }
      const [right, said] = await Promise.all([
        claimSources({ ...asked, text: reference, sources: context }, tools),
        // The reference stands as one more source, so that one reply says where a claim comes from and whether it is right.
        claimSources({ ...asked, text: generation.text, sources: [...context, reference] }, tools),
      ])
      if ("status" in right) return right
      if ("status" in said) return said
      if (right.value.length === 0) return unscored("no_claims", "the judge found no claim in the reference")
      if (said.value.length === 0) return unscored("no_claims", "the judge found no claim in the answer")
      const relevant = new Set(right.value.flatMap(({ sources }) => sources))
      const own = context.length + 1
      const judged = said.value.map(({ claim, sources }) => {
        const passages = sources.filter((source) => source !== own)
        const kind = passages.some((passage) => relevant.has(passage)) ? "relevant" : "irrelevant"
        return { claim, passages, wrong: !sources.includes(own), kind }
      })
      const noise = judged.filter(({ wrong, passages, kind }) => wrong && passages.length > 0 && kind === from)
      return judgedRow(
        noise.length / judged.length,
        judged.map(({ claim, passages, wrong, kind }) => ({
          said: `${wrong ? "wrong" : "right"}, ${supportWords(passages)}${passages.length > 0 ? ` (${kind})` : ""}`,
          of: claim,
        })),
      )
    },
  })
}
