import { existsSync } from "node:fs"
import { basename, dirname, isAbsolute, resolve } from "node:path"
import { EvalkitError, MissingPackageError, messageOf, UsageError } from "../../core/errors.ts"
import type { TextClassifier } from "../../core/text-classifier.ts"

/** Options of {@link classifier}. */
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

/** Takes texts (with their pairs) to their logits, row by row. */
type Run = (texts: string[], pairs: string[] | null) => Promise<readonly (readonly number[])[]>

interface Loaded {
  readonly labels: readonly string[]
  readonly run: Run
  dispose(): Promise<void>
}

/**
 * A text classifier on this machine, through @huggingface/transformers (ONNX Runtime), in this process: toxicity, sentiment,
 * natural language inference. Loaded at its first use.
 *
 * @throws {MissingPackageError} at first use, without @huggingface/transformers
 * @throws {EvalkitError} `model_unavailable` at first use, when the model cannot be loaded
 * @example
 * const [labels] = await classifier({ model: "Xenova/toxic-bert", activation: "sigmoid" }).classify(["hello"], signal)
 */
export function classifier(options: ClassifierOptions): TextClassifier {
  const { model, dtype = "fp32", activation = "softmax", batchSize = 16 } = options
  let loading: Promise<Loaded> | undefined
  return {
    identity: `${model}|${dtype}|${activation}`,
    async classify(texts, signal) {
      loading ??= load(options)
      const { labels, run } = await loading
      const results: ReadonlyMap<string, number>[] = []
      for (let at = 0; at < texts.length; at += batchSize) {
        signal.throwIfAborted()
        const batch = texts.slice(at, at + batchSize)
        const firsts = batch.map((one) => (typeof one === "string" ? one : one.text))
        const pairs = batch.flatMap((one) => (typeof one === "string" ? [] : [one.pair]))
        if (pairs.length > 0 && pairs.length < batch.length)
          throw new UsageError("single texts and pairs cannot be classified together", { where: "classify" })
        for (const logits of await run(firsts, pairs.length > 0 ? pairs : null))
          results.push(new Map(probabilities(logits, activation).map((p, i) => [labels[i] ?? `LABEL_${i}`, p])))
      }
      return results
    },
    async close() {
      const closing = loading
      loading = undefined
      await (await closing?.catch(() => undefined))?.dispose()
    },
  }
}

/**
 * A model of natural language inference for the lens `unentailedSentences`: the probability of the label that says "entail".
 *
 * @throws {EvalkitError} `no_entailment_label` when the model has no such label
 */
export function entailmentModel(model: TextClassifier) {
  return {
    identity: model.identity,
    async entailment(pairs: readonly { readonly premise: string; readonly hypothesis: string }[], signal: AbortSignal) {
      const results = await model.classify(
        pairs.map(({ premise, hypothesis }) => ({ text: premise, pair: hypothesis })),
        signal,
      )
      return results.map((labels) => {
        const label = [...labels.keys()].find((name) => /^entail/i.test(name))
        if (label === undefined)
          throw new EvalkitError("the model has no label for entailment", {
            code: "no_entailment_label",
            where: [...labels.keys()].join(", "),
          })
        return labels.get(label) as number
      })
    },
    close: () => model.close(),
  }
}

async function load({ model, dtype = "fp32", threads = 1 }: ClassifierOptions): Promise<Loaded> {
  const library = await import("@huggingface/transformers").catch((error: unknown) => {
    throw new MissingPackageError("@huggingface/transformers", "a classifier", error)
  })
  const { AutoModelForSequenceClassification, AutoTokenizer, env } = library
  const folder = isAbsolute(model) || model.startsWith(".") || existsSync(model) ? resolve(model) : null
  if (folder) env.localModelPath = dirname(folder)
  env.allowRemoteModels = folder === null
  const name = folder ? basename(folder) : model
  const options = { dtype, session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 } } as const
  try {
    const tokenizer = await AutoTokenizer.from_pretrained(name)
    const network = await AutoModelForSequenceClassification.from_pretrained(name, options)
    const { id2label = {} } = network.config as { id2label?: Readonly<Record<string, string>> }
    return {
      labels: Object.entries(id2label)
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([, label]) => label),
      async run(texts, pairs) {
        const inputs = tokenizer(texts, { padding: true, truncation: true, ...(pairs && { text_pair: pairs }) })
        const { logits } = (await network(inputs)) as { logits: { tolist(): number[][] } }
        return logits.tolist()
      },
      dispose: async () => {
        await network.dispose()
      },
    }
  } catch (error) {
    throw new EvalkitError("the classifier cannot be loaded", {
      code: "model_unavailable",
      where: model,
      hint: `give a local folder, or a model id where the hub can be reached (${messageOf(error)})`,
      cause: error,
    })
  }
}

function probabilities(logits: readonly number[], activation: "softmax" | "sigmoid"): number[] {
  if (activation === "sigmoid") return logits.map((logit) => 1 / (1 + Math.exp(-logit)))
  const most = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - most))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
