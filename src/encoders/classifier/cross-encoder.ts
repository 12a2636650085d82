import { EvalkitError } from "../../core/errors.ts"
import type { CrossEncoder } from "../../core/metric/cross-encoder.ts"
import { checkOptions } from "../../core/options.ts"
import { type CrossEncoderForm, type KnownForm, knownForms } from "./known-forms.ts"
import { commonSettings, type ModelOptions, openModel } from "./open-model.ts"
import { type ClassifyResult, readingOf } from "./settings.ts"

/** Options of {@link crossEncoder}. @public */
export interface CrossEncoderOptions extends ModelOptions {
  /**
   * The model's family, which says what it is given and how its output is read: `hhem`, `minicheck`, `tinylettuce`, `bleurt`,
   * `comet`. Default `pair`: two texts, and the only output or the label that means entailment or support.
   */
  readonly as?: KnownForm
  /** One text made of the two, where a model wants that: `{text}`, `{pair}`, and `{eos}` for the token that ends a text. */
  readonly template?: string
  /** Which output is the score: its place, or its name in config.json. */
  readonly label?: number | string
  /** `softmax`: one output is true; `sigmoid`: each is true or not; `none`: the output is the score. */
  readonly activation?: "softmax" | "sigmoid" | "none"
  /** How the windows of a long first text become one score; default: the form's own. */
  readonly windows?: "max" | "mean" | "first"
}

/**
 * A cross-encoder on this machine: a model that reads two texts together (COMET: three) and gives one number. Runs as
 * {@link classifier} does: the same loader, a thread of its own, overlapping windows of the first text with the second beside each.
 *
 * Use it by `entailmentModel` for what passages support, by `learnedScore` for learnt scores of likeness (BLEURT, COMET), by
 * `semanticAnswerSimilarity` for short answers. docs/models.md says for each family which file it needs and how to get it.
 *
 * @throws {UsageError} for a family that is not known, and for sizes below 1
 * @throws {MissingPackageError} at first use, without @huggingface/transformers
 * @throws {EvalkitError} `model_unavailable` when the model cannot be loaded; `no_score_label` when no output is the score
 * @example crossEncoder({ model: "./hhem-2.1", as: "hhem" })
 * @example crossEncoder({ model: "Xenova/ms-marco-MiniLM-L-6-v2" })
 * @public
 */
export function crossEncoder(options: CrossEncoderOptions): CrossEncoder {
  checkOptions("crossEncoder", options)
  const { as = "pair" } = options
  const preset: CrossEncoderForm = knownForms[as]
  const { template, label = preset.label, activation = preset.activation, windows = preset.windows } = options
  const form = template === undefined ? preset.form : ({ kind: "template", template } as const)
  const settings = {
    ...commonSettings(options, "cross-encoder"),
    form,
    activation,
    windows,
    labels: null,
    tokens: preset.tokens,
  } as const
  const model = openModel(settings)
  const formText = template === undefined ? as : `${as}:${JSON.stringify(template)}`
  return {
    identity: `${settings.model}|${settings.dtype}|${formText}|${label === null ? "" : `label:${label}|`}${readingOf(settings)}`,
    range: activation === "none" ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [0, 1],
    needsSource: form.kind === "separate",
    async score(items, signal) {
      if (items.length === 0) return []
      const classifyResult = await model.read(items, signal)
      return classifyResult.values.map((row) => {
        const value = scoreOf(row, classifyResult, label, options)
        return preset.invert ? 1 - value : value
      })
    },
    open: model.open,
    close: model.close,
  }
}

/** A single output is the score; of several one must mean "supported". */
function scoreOf(
  row: readonly number[],
  { labels }: ClassifyResult,
  label: number | string | null,
  { model }: CrossEncoderOptions,
): number {
  const index = label === null ? supportPlace(row, labels) : typeof label === "number" ? label : labels.indexOf(label)
  const value = row[index]
  if (value !== undefined && Number.isFinite(value)) return value
  throw new EvalkitError("no output of the model is known to be the score", {
    code: "no_score_label",
    where: model,
    hint: `it has ${row.length} outputs (${labels.join(", ") || "without names"}): name one by label, or the family by as`,
  })
}

function supportPlace(row: readonly number[], labels: readonly string[]): number {
  if (row.length === 1) return 0
  return labels.findIndex((name) => /^(?:entail|support|consisten|factual)/i.test(name))
}
