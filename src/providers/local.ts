import { createHash } from "node:crypto"
import { closeSync, openSync, readSync } from "node:fs"
import { stat } from "node:fs/promises"
import { basename, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { OpenContext, Provider, ProviderSession } from "../core/provider.ts"
import { ensureQuantized } from "../local-model/gguf/ensure-quantized.ts"
import { ensureUnpacked } from "../local-model/gguf/ensure-unpacked.ts"
import { fileFault } from "../local-model/gguf/file-fault.ts"
import { fileTypeName } from "../local-model/gguf/file-type.ts"
import { type QuantizationType, quantizationTypes } from "../local-model/gguf/quantize-gguf.ts"
import { readGguf } from "../local-model/gguf/read-gguf.ts"
import { templateNote } from "../local-model/gguf/template-note.ts"
import { needBinding } from "../local-model/serve/load-binding.ts"
import { scoreAnswer } from "../local-model/serve/score-answer.ts"
import { serverCommand } from "../local-model/serve/server-command.ts"
import { openServerSession } from "./server/session.ts"

/** How a local model is served. @public */
export interface LocalOptions {
  /** Made from the file on first use and kept in the cache folder; the file is served as it is when absent. */
  readonly quantization?: QuantizationType
  /** Another type for the token embedding, which suffers most from coarse types. */
  readonly embeddingQuantization?: QuantizationType
  /** Threads of the evaluation. Default 1. */
  readonly threads?: number
  /** Requests that are evaluated at once. Default 4. */
  readonly parallel?: number
  /** Tokens of prompt and answer together; what the model was trained for, 4,096 at most, by default. */
  readonly contextSize?: number
  /** Let the binding use a GPU that it finds. Default false. */
  readonly gpu?: boolean
  /** Name in reports and answers; the file's name without its type by default. */
  readonly name?: string
  /** Do not run beside other servers. Default false: variants are measured interleaved. */
  readonly exclusive?: boolean
}

/** Raised when the server gives other answers to the same request. */
const servedFormat = 3

/**
 * A GGUF model served by a child process of its own, spoken to over the same HTTP as any other endpoint: one capture path
 * measures all, and the model's memory is its own. Needs the optional package node-llama-cpp.
 *
 * @param model path (relative to the working directory) or `file:` URL of a GGUF file
 * @example local(new URL("models/tiny/tiny-m-f16.gguf", import.meta.url), { quantization: "Q4_0" })
 * @public
 */
export function local(model: string | URL, options: LocalOptions = {}): Provider {
  checkOptions("local", options)
  const path = modelPath(model)
  const stem = basename(path).replace(/\.gguf$/i, "")
  const [, bare = stem, suffix] = /^(.*?)[-.]((?:b?f|i?q|tq|mxfp)\d\w*)$/i.exec(stem) ?? []
  const name = options.name ?? bare
  const quantization = options.quantization ?? suffix?.toUpperCase()
  let identity: Provider["identity"] | undefined
  return {
    kind: "local",
    traits: { isFreePerCall: true, identifiesContent: true, transport: "undici", modelFile: path },
    model: name,
    label: quantization ? `${name} ${quantization}` : name,
    endpoint: `local:${path}#${quantization ?? ""}`,
    lane: "this machine",
    concurrency: options.parallel ?? 4,
    get identity() {
      identity ??= {
        kind: "local",
        model: sha256OfFile(path),
        quantization: options.quantization ?? null,
        embeddingQuantization: options.embeddingQuantization ?? null,
        contextSize: options.contextSize ?? null,
        gpu: options.gpu ?? false,
        format: servedFormat,
      }
      return identity
    },
    ...(quantization && { quantization }),
    ...(options.exclusive !== undefined && { exclusive: options.exclusive }),
    open: (context) => open(path, name, options, context),
  }
}

async function open(
  source: string,
  name: string,
  options: LocalOptions,
  context: OpenContext,
): Promise<ProviderSession> {
  const label = options.quantization ? `${name} ${options.quantization}` : name
  needBinding() // before minutes of quantizing, and not as the last words of a server's process
  const path = await fileToServe(source, label, options, context)
  // Only what was made here: a file of somebody else is served as it is.
  const served = path === source ? path : await ensureUnpacked(path)
  const { command, args } = serverCommand({ ...options, modelPath: served, name })
  let baseUrl = ""
  const session = await openServerSession(
    {
      command,
      args,
      // It evaluates and samples in turn: in a single thread of the pool what they read stays in one processor's cache.
      environment: { UV_THREADPOOL_SIZE: context.environment.UV_THREADPOOL_SIZE ?? "1" },
      readiness: { logPattern: /^\{"ready":.*"baseUrl":"(?<url>[^"]+)".*\}$/m, timeoutMs: 120_000 },
      baseUrl: (ready) => {
        baseUrl = ready.groups?.url ?? ""
        return baseUrl
      },
      model: name,
      label,
      transport: "undici",
      features: { echoLogprobs: true, jsonSchema: true, logprobs: true, seed: true, streamUsage: true },
      modelBytes: (await stat(path)).size,
    },
    context,
  )
  const file = await readGguf(path)
  const untemplated = templateNote(file)
  const stated = fileTypeName(file.metadata.get("general.file_type")?.value)
  // A file's name may leave out its quantization, or say another one than the file.
  const isUnnamed = !options.quantization && stated !== null && !isNamed(source, stated)
  const notes: ProviderSession["notes"] = (parameters) => [
    ...session.notes(parameters),
    ...(served === path ? [] : [unpackedNote]),
    ...(isUnnamed ? [`quantization: the file's own metadata say ${stated}`] : []),
    ...(untemplated === null ? [] : [untemplated]),
  ]
  return { ...session, notes, scoreAnswer: (...call) => scoreAnswer(baseUrl, ...call) }
}

const unpackedNote =
  "Q2_0 is unpacked to Q4_0 in memory, which holds the same weights: memory and speed are those of Q4_0, the file's size is that of Q2_0"

/** Whether a file's name ends with its quantization, whatever stands between the letters: `…-Q4_K_M.gguf`, `….q4-k-m.gguf`. */
function isNamed(path: string, quantization: string): boolean {
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "")
  return letters(basename(path).replace(/\.gguf$/i, "")).endsWith(letters(quantization))
}

/** The file itself, or its quantized copy in a folder that is named by the source's content. */
async function fileToServe(
  source: string,
  label: string,
  options: LocalOptions,
  context: OpenContext,
): Promise<string> {
  const type = options.quantization
  const { metadata } = await readGguf(source)
  const embedding = options.embeddingQuantization
  if (!type) return source
  if (metadata.get("general.file_type")?.value === quantizationTypes[type] && (embedding ?? type) === type) {
    return source
  }
  context.progress(`quantizing ${label}`)
  return ensureQuantized(source, type, {
    directory: join(context.cacheDirectory, "models", sha256OfFile(source).slice(0, 16)),
    ...(embedding && { embeddingType: embedding }),
  })
}

function modelPath(model: string | URL): string {
  const text = String(model)
  if (/^https?:/i.test(text)) {
    throw new UsageError("a local model is a file, not a web address", { where: text, hint: "download it first" })
  }
  return /^file:/i.test(text) ? fileURLToPath(text) : resolve(text)
}

/** SHA-256 of a file, read in pieces; once per process and path. */
function sha256OfFile(path: string): string {
  const existing = checksums.get(path)
  if (existing) return existing
  const hash = createHash("sha256")
  const buffer = Buffer.allocUnsafe(1 << 20)
  try {
    const file = openSync(path, "r")
    try {
      for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
        hash.update(buffer.subarray(0, read))
      }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw fileFault(path, error)
  }
  const checksum = hash.digest("hex")
  checksums.set(path, checksum)
  return checksum
}

const checksums = new Map<string, string>()
