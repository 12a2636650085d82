import { existsSync } from "node:fs"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { EvalkitError, MissingPackageError, messageOf } from "../../core/errors.ts"

/** How a classifier is loaded; sent to its thread when it starts. */
export interface ClassifierSettings {
  /** Hub id or local folder. */
  readonly model: string
  readonly dtype: "fp32" | "fp16" | "q8"
  readonly threads: number
  readonly batchSize: number
  /** Where a model from the hub is kept. */
  readonly cacheDirectory: string
}

/** Texts to classify; with pairs, each text belongs to the pair of the same place. */
export interface ClassifyJob {
  readonly texts: readonly string[]
  readonly pairs: readonly string[] | null
}

/** What the thread answers: the model's labels, and the logits of each text. */
export interface ClassifyResult {
  readonly labels: readonly string[]
  readonly logits: readonly (readonly number[])[]
}

/** A loaded classifier, as little of transformers.js as is needed. */
export interface LoadedClassifier {
  readonly labels: readonly string[]
  run(texts: readonly string[], pairs: readonly string[] | null): Promise<readonly (readonly number[])[]>
  dispose(): Promise<void>
}

/** Characters of a text that are read: more than any of these models has tokens for. */
const longestText = 50_000

/**
 * Loads a model from a local folder or the hub. Longer texts than the model can take are cut at its limit.
 * @throws {MissingPackageError} without @huggingface/transformers
 * @throws {EvalkitError} `model_unavailable` when the model cannot be loaded
 */
export async function loadClassifier(settings: ClassifierSettings): Promise<LoadedClassifier> {
  const { model, dtype, threads, cacheDirectory } = settings
  const library = await import("@huggingface/transformers").catch((error: unknown) => {
    throw new MissingPackageError("@huggingface/transformers", "a classifier", error)
  })
  const { AutoModelForSequenceClassification, AutoTokenizer, env } = library
  const folder = isAbsolute(model) || model.startsWith(".") || existsSync(model) ? resolve(model) : null
  if (folder) env.localModelPath = dirname(folder)
  env.allowRemoteModels = folder === null
  env.cacheDir = join(cacheDirectory, "hub")
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
        const cut = (list: readonly string[]) => list.map((text) => text.slice(0, longestText))
        const pair = pairs && { text_pair: cut(pairs) }
        const inputs = tokenizer(cut(texts), { padding: true, truncation: true, ...pair })
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
