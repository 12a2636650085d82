import type { CrossEncoder } from "../../src/core/metric/cross-encoder.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { usedCrossEncoder } from "../../src/core/metric/used-model.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link learnedScore}. @public */
export interface LearnedScoreOptions {
  /** `crossEncoder({ model, as: "bleurt" })`, `crossEncoder({ model, as: "comet" })`, or any other. */
  readonly by: CrossEncoder
  readonly name?: string
  /** What the answer is compared with: the best of its `references` (default), the `context` (all passages), or the `input`. */
  readonly against?: "references" | "context" | "input"
  /** Metadata field with the source text, for models that read it (COMET). Default: the sample's input. */
  readonly source?: string
}

/**
 * Learnt score: what a model that was trained on people's ratings (BLEURT, COMET) or on pairs (cross-encoders) says of the answer
 * beside its reference, passages or question; with several references the best.
 *
 * As good as what it was trained on: BLEURT and COMET know short translations, and are unreliable for long or other texts; their
 * numbers have no unit and no fixed range, and compare only within one model. Range: the model's own; higher is better. Cost: one
 * pass of the model per reference. Papers: Sellam et al. 2020 (BLEURT), Rei et al. 2020 (COMET). Unscored: `no_reference`,
 * `no_context`, `no_input`, `empty_output`, `missing_package`, `model_unavailable`.
 *
 * @example
 * learnedScore({ by: crossEncoder({ model: "./bleurt-20", as: "bleurt" }) }) // 0.79
 * @public
 */
export function learnedScore(options: LearnedScoreOptions): Metric<number> {
  checkOptions("learnedScore", options)
  const { by, name = "learnedScore", against = "references", source } = options
  const metric = meanMetric({
    name,
    signature: signature("learnedScore", {
      by: by.identity.replaceAll("|", ","),
      against,
      ...(by.needsSource && { source: source ?? "input" }),
    }),
    range: by.range,
    unit: "score",
    async measure(sample, { text }, { signal }) {
      const others = textsOf(sample, against)
      if (isUnscored(others)) return others
      if (text.trim() === "") return unscored("empty_output")
      const from = by.needsSource ? sourceOf(sample, source) : null
      if (by.needsSource && from === null)
        return unscored("no_input", `the sample has no source text (${source ?? "its input, as text"})`)
      const items = others.map((other) => ({ text: other, pair: text, ...(from !== null && { source: from }) }))
      return Math.max(...(await by.score(items, signal)))
    },
  })
  return { ...metric, uses: [usedCrossEncoder(by)], close: () => by.close() }
}

function textsOf(sample: Sample, against: NonNullable<LearnedScoreOptions["against"]>) {
  if (against === "references") return referencesOf(sample)
  if (against === "context")
    return sample.context.length > 0
      ? [sample.context.join("\n")]
      : unscored("no_context", "the sample has no passages")
  return typeof sample.input === "string" && sample.input !== "" ? [sample.input] : unscored("no_input")
}

function sourceOf({ input, metadata }: Sample, field: string | undefined): string | null {
  const value = field === undefined ? input : Object.hasOwn(metadata, field) ? metadata[field] : undefined
  return typeof value === "string" && value !== "" ? value : null
}
