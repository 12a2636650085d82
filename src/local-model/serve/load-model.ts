import { existsSync } from "node:fs"
import { basename } from "node:path"
import type { ChatWrapper, Llama, LlamaContext, LlamaModel } from "node-llama-cpp"
import { MissingPackageError, messageOf, UsageError } from "../../core/errors.ts"
import { createServedCounts, type ServedCounts } from "./counts/served-counts.ts"
import { createEmbedder, type Embedder } from "./embeddings/embedder.ts"
import { clearRegisters } from "./evaluate/clear-registers.ts"
import { type NativeContext, nativeContext } from "./evaluate/native-context.ts"
import { createRounds, type Rounds } from "./evaluate/rounds.ts"
import { type Binding, loadBinding } from "./load-binding.ts"
import { type NativeSampling, nativeSampling } from "./sampling/native-sampling.ts"
import { createTokenDescriber, type TokenDescriber } from "./token-logprob.ts"

/** How a GGUF file is loaded. */
export interface LoadModelOptions {
  readonly modelPath: string
  /** What clients call the model; the file's name without `.gguf` by default. */
  readonly name?: string
  /** Threads of one evaluation. */
  readonly threads: number
  /** Requests that are evaluated at once, each in a sequence of its own. */
  readonly parallel: number
  /** Tokens of prompt and answer together, per request; what the model was trained for, 4,096 at most, by default. */
  readonly contextSize?: number
  /** Whether layers may go to a GPU that the binding finds. */
  readonly gpu: boolean
  /** Whether this process does nothing else, so that a binary that ends it harms nobody: it is not tried in another one first. */
  readonly ownProcess?: boolean
}

/** A model in memory, ready to evaluate. */
export interface LoadedModel {
  readonly name: string
  /** The file's name, without its folder. */
  readonly file: string
  readonly llama: Llama
  readonly model: LlamaModel
  readonly context: LlamaContext
  /** Renders the file's own chat template. */
  readonly chatWrapper: ChatWrapper
  readonly describer: TokenDescriber
  readonly native: NativeContext
  readonly sampling: NativeSampling
  /** Who evaluates when. */
  readonly rounds: Rounds
  readonly embedder: Embedder
  readonly counts: ServedCounts
  readonly binding: Binding
  /** Tokens per request. */
  readonly contextSize: number
  /** From the start of the load to a context, in milliseconds; the binding's own start is not in it. */
  readonly loadMs: number
  dispose(): Promise<void>
}

const largestDefaultContext = 4096

/**
 * Loads a GGUF file through node-llama-cpp's prebuilt binary; never compiles and never downloads.
 * Throws {@link MissingPackageError} when the binding is not installed, and {@link UsageError} when the file is not a
 * complete GGUF model.
 */
export async function loadModel(options: LoadModelOptions): Promise<LoadedModel> {
  // Of several binaries for GPUs the package finds the one that runs.
  const binding = await loadBinding(options.ownProcess === true && !options.gpu)
  const complaints: string[] = []
  const started = binding.getLlama({
    gpu: options.gpu ? "auto" : false,
    build: "never",
    skipDownload: true,
    maxThreads: options.threads,
    logLevel: binding.LlamaLogLevel.error,
    logger: (_level, message) => complaints.push(message.trim()),
  })
  const llama = await started.catch((error: unknown) => {
    throw new MissingPackageError("node-llama-cpp", "serving a local model on this machine", error)
  })
  const startMs = performance.now()
  try {
    const model = await llama.loadModel({
      modelPath: options.modelPath,
      ...(options.gpu ? {} : { gpuLayers: 0 }),
    })
    const contextSize = options.contextSize ?? Math.min(model.trainContextSize, largestDefaultContext)
    const context = await model.createContext({
      contextSize,
      sequences: options.parallel,
      batchSize: Math.max(512, options.parallel),
      threads: options.threads,
    })
    const native = nativeContext(context)
    const rounds = createRounds(native, context.batchSize)
    return {
      name: options.name ?? basename(options.modelPath).replace(/\.gguf$/i, ""),
      file: basename(options.modelPath),
      llama,
      model,
      context,
      chatWrapper: chatWrapperOf(binding, model),
      describer: createTokenDescriber(model),
      native,
      sampling: nativeSampling(native, model, clearRegisters(model)),
      rounds,
      counts: createServedCounts(),
      embedder: createEmbedder({ model, rounds, contextSize, threads: options.threads }),
      binding,
      contextSize,
      loadMs: performance.now() - startMs,
      async dispose() {
        await rounds.settled()
        await llama.dispose()
      },
    }
  } catch (error) {
    await llama.dispose()
    if (!existsSync(options.modelPath))
      throw new UsageError("there is no such model file", {
        code: "model_load_failed",
        where: options.modelPath,
        hint: "give the path of a GGUF file",
        cause: error,
      })
    const detail = [messageOf(error), ...complaints.slice(0, 2)].join(" – ").slice(0, 500)
    throw new UsageError(`the model cannot be loaded: ${detail}`, {
      code: "model_load_failed",
      where: options.modelPath,
      hint: "check that it is a complete GGUF file of a text model",
      cause: error,
    })
  }
}

/** The file's own template where it has one, else the binding's guess from the architecture. */
function chatWrapperOf(binding: Binding, model: LlamaModel): ChatWrapper {
  const template = model.fileInfo.metadata.tokenizer?.chat_template
  if (template) {
    return new binding.JinjaTemplateChatWrapper({ template, tokenizer: model.tokenizer, reasoning: null })
  }
  return binding.resolveChatWrapper(model) ?? new binding.GeneralChatWrapper()
}
