import { EvalkitError, UsageError } from "../../core/errors.ts"
import type { TextClassifier } from "../../core/metric/text-classifier.ts"
import { checkOptions, type OptionKinds } from "../../core/options.ts"
import { ownModule } from "../../platform/own-module.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { createWorkerClient } from "../worker/worker-client.ts"
import type { ClassifierSettings, ClassifyJob, ClassifyResult } from "./load-classifier.ts"

/** Options of {@link classifier}. @public */
export interface ClassifierOptions {
  /** Hub id (`Xenova/toxic-bert`, `Xenova/nli-deberta-v3-xsmall`) or local folder with ONNX files. */
  readonly model: string
  /** Precision of the weights; default fp32. */
  readonly dtype?: "fp32" | "fp16" | "q8"
  /** `softmax` (default): one label is true; `sigmoid`: each label is true or not. */
  readonly activation?: "softmax" | "sigmoid"
  /** Texts in one pass. Default 16. */
  readonly batchSize?: number
  readonly threads?: number
}

const classifierOptions: OptionKinds<ClassifierOptions> = {
  model: "text",
  dtype: "text",
  activation: "text",
  batchSize: "number",
  threads: "number",
}

/**
 * A text classifier on this machine, through @huggingface/transformers (ONNX Runtime), in a worker thread of its own, so that
 * it disturbs no clock: toxicity, sentiment, natural language inference. Loaded at its first use.
 *
 * @throws {UsageError} for a batch size or a number of threads below 1
 * @throws {MissingPackageError} at first use, without @huggingface/transformers
 * @throws {EvalkitError} `model_unavailable` at first use, when the model cannot be loaded
 * @example
 * const [labels] = await classifier({ model: "Xenova/toxic-bert", activation: "sigmoid" }).classify(["hello"], signal)
 * @public
 */
export function classifier(options: ClassifierOptions): TextClassifier {
  checkOptions("classifier", options, classifierOptions)
  const { model, dtype = "fp32", activation = "softmax", batchSize = 16, threads = 1 } = options
  for (const [name, value] of Object.entries({ batchSize, threads }))
    if (!Number.isInteger(value) || value < 1 || value > 1024)
      throw new UsageError(`${name} must be an integer of 1 to 1024`, { where: `classifier(${model})` })
  const settings: ClassifierSettings = {
    model,
    dtype,
    threads,
    batchSize,
    cacheDirectory: userCacheDirectory(process.env),
  }
  const client = createWorkerClient({
    module: ownModule(import.meta.url, "./classify-worker"),
    settings,
    feature: "a classifier",
  })
  return {
    identity: `${model}|${dtype}|${activation}`,
    async classify(texts, signal) {
      if (texts.length === 0) return []
      const pairs = texts.flatMap((one) => (typeof one === "string" ? [] : [one.pair]))
      if (pairs.length > 0 && pairs.length < texts.length)
        throw new UsageError("single texts and pairs cannot be classified together", { where: "classify" })
      const job: ClassifyJob = {
        texts: texts.map((one) => (typeof one === "string" ? one : one.text)),
        pairs: pairs.length > 0 ? pairs : null,
      }
      signal.throwIfAborted()
      const { labels, logits } = await client.ask<ClassifyResult>(job, signal)
      return logits.map((row) => new Map(probabilities(row, activation).map((p, i) => [labels[i] ?? `LABEL_${i}`, p])))
    },
    close: () => client.close(),
  }
}

/**
 * A model of natural language inference for the lenses `unentailedSentences` and `selfConsistency`: the probability of the
 * label that says "entail", and that of "contradict" against it (neutral left out).
 *
 * @throws {EvalkitError} `no_entailment_label`, `no_contradiction_label` when the model has no such label
 * @public
 */
export function entailmentModel(model: TextClassifier) {
  const classify = (pairs: readonly Pair[], signal: AbortSignal) =>
    model.classify(
      pairs.map(({ premise, hypothesis }) => ({ text: premise, pair: hypothesis })),
      signal,
    )
  return {
    identity: model.identity,
    entailment: async (pairs: readonly Pair[], signal: AbortSignal) =>
      (await classify(pairs, signal)).map((labels) => labelled(labels, "entail")),
    async contradiction(pairs: readonly Pair[], signal: AbortSignal) {
      const results = await classify(pairs, signal)
      return results.map((labels) => {
        const [against, agreed] = [labelled(labels, "contradict"), labelled(labels, "entail")]
        return against / (against + agreed)
      })
    },
    close: () => model.close(),
  }
}

interface Pair {
  readonly premise: string
  readonly hypothesis: string
}

function labelled(labels: ReadonlyMap<string, number>, start: "entail" | "contradict"): number {
  for (const [label, probability] of labels) if (label.toLowerCase().startsWith(start)) return probability
  const noun = start === "entail" ? "entailment" : "contradiction"
  throw new EvalkitError(`the model has no label for ${noun}`, {
    code: `no_${noun}_label`,
    where: [...labels.keys()].join(", "),
  })
}

function probabilities(logits: readonly number[], activation: "softmax" | "sigmoid"): number[] {
  if (activation === "sigmoid") return logits.map((logit) => 1 / (1 + Math.exp(-logit)))
  const most = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - most))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
