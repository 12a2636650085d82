import { existsSync } from "node:fs"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { EvalkitError, messageOf } from "../../../core/errors.ts"
import { importOptional } from "../../../core/optional-package.ts"
import { minilmFolder } from "../minilm/minilm-folder.ts"
import type { EncoderSettings } from "./messages.ts"

/** A layer of a batch: batch × tokens × dimension, row-major. */
export interface LayerOutput {
  readonly data: Float32Array
  readonly dimension: number
}

/** A loaded model, as little of transformers.js as is needed. */
export interface LoadedModel {
  /** Token numbers of a text, with or without the special tokens. */
  tokenIds(text: string, specialTokens: boolean): number[]
  tokenTexts(ids: readonly number[]): string[]
  /** Runs texts of equal length: `rows` × `length` token numbers. */
  run(ids: readonly (readonly number[])[]): Promise<ReadonlyMap<string, LayerOutput>>
  readonly maxTokens: number
  dispose(): Promise<void>
}

/** transformers.js names the types of weights differently. */
const dtypes = { fp32: "fp32", fp16: "fp16", int8: "q8", int4: "q4" } as const

/**
 * Loads a model from the built folder of all-MiniLM-L6-v2, a local folder or the hub.
 * @throws {MissingPackageError} without @huggingface/transformers, or without the weights of the default model
 * @throws {EvalkitError} `model_unavailable` when the model cannot be loaded
 */
export async function loadModel(settings: EncoderSettings, progress: (message: string) => void): Promise<LoadedModel> {
  const library = await importOptional<typeof import("@huggingface/transformers")>(
    "@huggingface/transformers",
    "an embedder",
  )
  const { AutoModel, AutoTokenizer, Tensor, env } = library
  const folder = await localFolder(settings, progress)
  if (folder) env.localModelPath = dirname(folder)
  env.allowRemoteModels = folder === null
  env.cacheDir = join(settings.cacheDirectory, "hub")
  const name = folder ? basename(folder) : (settings.model as string)
  const options = {
    ...(settings.revision !== null && { revision: settings.revision }),
    dtype: dtypes[settings.dtype],
    // Where the hub keeps ONNX files; some packages lay them beside the tokenizer.
    subfolder: folder === null || existsSync(join(folder, "onnx")) ? "onnx" : "",
    session_options: { intraOpNumThreads: settings.threads, interOpNumThreads: 1 },
    progress_callback: (event: { status: string }) => {
      const line = folder === null ? downloadLine(event) : null
      if (line) progress(line)
    },
  } as const
  try {
    const [tokenizer, model] = await Promise.all([
      AutoTokenizer.from_pretrained(name, options),
      AutoModel.from_pretrained(name, options),
    ])
    const texts = new Map(Array.from(tokenizer.get_vocab(), ([token, id]) => [id, token]))
    const positions = (model.config as { max_position_embeddings?: number }).max_position_embeddings
    return {
      maxTokens: Math.min(positions ?? 512, tokenizer.model_max_length ?? 512, 8192),
      tokenIds: (text, specialTokens) =>
        tokenizer(text, { add_special_tokens: specialTokens, return_tensor: false }).input_ids as number[],
      tokenTexts: (ids) => ids.map((id) => texts.get(id) ?? String(id)),
      async run(ids) {
        const shape = [ids.length, ids[0]?.length ?? 0]
        const input_ids = new Tensor("int64", BigInt64Array.from(ids.flat(), BigInt), shape)
        const attention_mask = new Tensor("int64", new BigInt64Array(input_ids.size).fill(1n), shape)
        const outputs = (await model({ input_ids, attention_mask })) as Readonly<Record<string, unknown>>
        const layers = Object.entries(outputs).flatMap(([output, tensor]): [string, LayerOutput][] =>
          tensor instanceof Tensor && tensor.dims.length === 3 && tensor.type === "float32"
            ? [[output, { data: tensor.data as Float32Array, dimension: tensor.dims[2] as number }]]
            : [],
        )
        return new Map(layers)
      },
      dispose: async () => {
        await model.dispose()
      },
    }
  } catch (error) {
    throw new EvalkitError("the embedding model cannot be loaded", {
      code: "model_unavailable",
      where: settings.model ?? "all-MiniLM-L6-v2",
      hint: `give a local folder, or a model id where the hub can be reached (${messageOf(error)})`,
      cause: error,
    })
  }
}

/** The folder that a model is in; null for a hub id. */
async function localFolder(
  { model, dtype, cacheDirectory }: EncoderSettings,
  progress: (message: string) => void,
): Promise<string | null> {
  if (model === null) {
    progress(`preparing all-MiniLM-L6-v2 (${dtype})`)
    return minilmFolder(cacheDirectory, dtype as Exclude<typeof dtype, "fp16">)
  }
  return isAbsolute(model) || model.startsWith(".") || existsSync(model) ? resolve(model) : null
}

function downloadLine(event: { status: string; file?: string; progress?: number }): string | null {
  if (event.status !== "progress" || event.progress === undefined) return null
  return `downloading ${event.file}: ${Math.floor(event.progress)} %`
}
