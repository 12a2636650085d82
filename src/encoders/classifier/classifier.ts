import { UsageError } from "../../core/errors.ts"
import type { TextClassifier } from "../../core/metric/text-classifier.ts"
import { checkOptions } from "../../core/options.ts"
import { commonSettings, type ModelOptions, openModel } from "./open-model.ts"
import { readingOf } from "./settings.ts"

/** Options of {@link classifier}. @public */
export interface ClassifierOptions extends ModelOptions {
  /** `softmax` (default): one label is true; `sigmoid`: each label is true or not. */
  readonly activation?: "softmax" | "sigmoid"
  /**
   * How the windows of a text that is longer than the model can take become one: each label's largest probability (`max`, the
   * default), their `mean`, or only the `first` window is read.
   */
  readonly windows?: "max" | "mean" | "first"
  /** Names of the outputs, in their order, in place of `id2label` in the model's config.json. */
  readonly labels?: readonly string[]
}

/**
 * A text classifier on this machine, through @huggingface/transformers (ONNX Runtime), in a worker thread of its own, so that
 * it disturbs no clock: toxicity, sentiment, natural language inference. Loaded before a run asks anything, or at its first use.
 *
 * A text that is longer than the model can take is read in windows of whole words that overlap by a quarter (64 at most); of a
 * pair the first text is cut, and the second one is read beside each window. With `windows: "max"` the probabilities of a long
 * text need not add up to 1. A text's probabilities do not depend on the texts beside it: nothing is padded.
 *
 * @throws {UsageError} for a batch size or a number of threads below 1
 * @throws {MissingPackageError} at first use, without @huggingface/transformers
 * @throws {EvalkitError} `model_unavailable` at first use, when the model cannot be loaded
 * @example
 * const [labels] = await classifier({ model: "Xenova/toxic-bert", activation: "sigmoid" }).classify(["hello"], signal)
 * @public
 */
export function classifier(options: ClassifierOptions): TextClassifier {
  checkOptions("classifier", options)
  const { activation = "softmax", windows = "max", labels = null } = options
  const settings = {
    ...commonSettings(options, "classifier"),
    form: { kind: "pair" },
    activation,
    windows,
    labels,
    tokens: "largest",
  } as const
  const model = openModel(settings)
  return {
    identity: `${settings.model}|${settings.dtype}|${readingOf(settings)}${labels ? `|labels:${labels.join(",")}` : ""}`,
    async classify(texts, signal) {
      if (texts.length === 0) return []
      const pairs = texts.filter((text) => typeof text !== "string").length
      if (pairs > 0 && pairs < texts.length)
        throw new UsageError("single texts and pairs cannot be classified together", { where: "classify" })
      const items = texts.map((text) => (typeof text === "string" ? { text: text } : text))
      const classifyResult = await model.read(items, signal)
      return classifyResult.values.map(
        (row) => new Map(row.map((p, i) => [classifyResult.labels[i] ?? `LABEL_${i}`, p])),
      )
    },
    open: model.open,
    close: model.close,
  }
}
