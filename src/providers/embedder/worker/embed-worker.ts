import { parentPort, workerData } from "node:worker_threads"
import { EvalkitError, MissingPackageError, messageOf } from "../../../core/errors.ts"
import { createEncoder, type Encoder } from "./encode.ts"
import { type LoadedModel, loadModel } from "./load-model.ts"
import type { EncoderSettings, Failure, Job, JobResults, Reply, Request } from "./messages.ts"
import { poolTokens } from "./pool-tokens.ts"

// The thread that a model lives in: jobs come in, are worked off one after the other, and may be cancelled between batches.

const settings = workerData as EncoderSettings
const port = parentPort
if (!port) throw new Error("this file is a worker thread's")

const cancelled = new Set<number>()
let opened: Promise<{ model: LoadedModel; encoder: Encoder }> | undefined
let last: Promise<void> = Promise.resolve()

port.on("message", (request: Request) => {
  if (request.type === "cancel") cancelled.add(request.id)
  else if (request.type === "close") last = last.then(close)
  else last = last.then(() => answer(request.id, request.job))
})

async function answer(id: number, job: Job): Promise<void> {
  try {
    if (cancelled.has(id)) return
    opened ??= open()
    const { encoder } = await opened
    const results = await work(encoder, job, (done) => {
      send({ type: "progress", message: `embedding: ${done} of ${job.texts.length} texts` })
      return !cancelled.has(id)
    })
    if (!cancelled.has(id)) send({ type: "done", id, results }, buffersOf(results))
  } catch (error) {
    send({ type: "failed", id, failure: failureOf(error) })
  } finally {
    cancelled.delete(id)
  }
}

async function open() {
  const model = await loadModel(settings, (message) => send({ type: "progress", message }))
  return { model, encoder: createEncoder(model, settings) }
}

async function work(encoder: Encoder, job: Job, proceed: (done: number) => boolean): Promise<JobResults[Job["kind"]]> {
  if (job.kind === "tokenize") return encoder.tokenize(job.texts)
  const texts = await encoder.encode(job.texts, job.kind === "tokens" ? job.layer : null, proceed)
  return job.kind === "tokens" ? texts : texts.map((text) => poolTokens(text, settings))
}

async function close(): Promise<void> {
  await opened?.then(({ model }) => model.dispose()).catch(() => undefined)
  port?.close()
}

/** Vectors change hands instead of being copied. */
function buffersOf(results: JobResults[Job["kind"]]): ArrayBuffer[] {
  return results.flatMap((result) => {
    if (result instanceof Float32Array) return [result.buffer as ArrayBuffer]
    return "vectors" in result ? [result.vectors.buffer as ArrayBuffer] : []
  })
}

function send(reply: Reply, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(reply, transfer)
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof EvalkitError)) return { what: messageOf(error), code: "embedder_failed" }
  return {
    what: error.what,
    code: error.code,
    ...(error.where !== undefined && { where: error.where }),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error instanceof MissingPackageError && { packageName: error.packageName }),
  }
}
