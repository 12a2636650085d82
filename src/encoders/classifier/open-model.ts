import { UsageError } from "../../core/errors.ts"
import type { OpenOptions } from "../../core/metric/used-model.ts"
import { ownModule } from "../../platform/own-module.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { createWorkerClient } from "../worker/worker-client.ts"
import { modelFiles } from "./model-files.ts"
import type { ClassifierSettings, ClassifyJob, ClassifyResult, ReadTexts } from "./settings.ts"

/** What classifiers and cross-encoders have in common. @public */
export interface ModelOptions {
  /** Hub id (`Xenova/toxic-bert`), local folder with an ONNX file, or the local `.onnx` file itself. */
  readonly model: string
  /** Precision of the weights; default fp32. A `.onnx` file that is named itself has its own. */
  readonly dtype?: "fp32" | "fp16" | "q8"
  /** Tokens of one pass, special tokens included. Default: what the model's own files state, else 512. */
  readonly maxTokens?: number
  /** Texts in one pass. Default 16. */
  readonly batchSize?: number
  readonly threads?: number
}

/** A model in a thread of its own. */
export interface OpenModel {
  read(items: readonly ReadTexts[], signal: AbortSignal): Promise<ClassifyResult>
  /** Loads it, and reads nothing. */
  open(signal: AbortSignal, options?: OpenOptions): Promise<void>
  close(): Promise<void>
}

/** What is the same for every model with these options. */
export function commonSettings(
  { model, dtype = "fp32", maxTokens = 0, batchSize = 16, threads = 1 }: ModelOptions,
  feature: string,
) {
  const where = `${feature} ${model}`
  for (const [name, value] of Object.entries({ batchSize, threads }))
    if (!Number.isInteger(value) || value < 1 || value > 1024)
      throw new UsageError(`${name} must be an integer of 1 to 1024`, { where })
  if (maxTokens !== 0 && !(Number.isInteger(maxTokens) && maxTokens >= 8))
    throw new UsageError("maxTokens must be an integer of at least 8", { where })
  return { model, dtype, maxTokens, batchSize, threads, feature, cacheDirectory: userCacheDirectory(process.env) }
}

/** The model in its thread, which starts at the first use. */
export function openModel(settings: ClassifierSettings): OpenModel {
  const client = createWorkerClient({
    module: ownModule(import.meta.url, "./classify-worker"),
    settings,
    feature: `a ${settings.feature}`,
  })
  const read = async (items: readonly ReadTexts[], signal: AbortSignal): Promise<ClassifyResult> => {
    signal.throwIfAborted()
    return client.ask<ClassifyResult>({ items } satisfies ClassifyJob, signal)
  }
  return {
    read,
    async open(signal, { load = true } = {}) {
      // A file that is not there is said without starting a thread.
      modelFiles(settings)
      if (load) await read([], signal)
    },
    close: () => client.close(),
  }
}
