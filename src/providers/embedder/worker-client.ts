import { Worker } from "node:worker_threads"
import { EvalkitError, MissingPackageError } from "../../core/errors.ts"
import { ownModule } from "../../core/own-module.ts"
import type { EncoderSettings, Failure, Job, JobResults, Reply, Request } from "./worker/messages.ts"

/** A model in its own thread, which starts at the first job and does not keep the process alive. */
export interface WorkerClient {
  ask<Kind extends Job["kind"]>(
    job: Extract<Job, { readonly kind: Kind }>,
    signal: AbortSignal,
  ): Promise<JobResults[Kind]>
  /** Ends the thread; the next job starts it again. */
  close(): Promise<void>
}

/** @param progress receives lines for people, from the thread */
export function createWorkerClient(settings: EncoderSettings, progress: (message: string) => void): WorkerClient {
  let thread: Thread | undefined
  return {
    ask(job, signal) {
      if (!thread || thread.ended()) thread = startThread(settings, progress)
      return thread.ask(job, signal) as Promise<JobResults[typeof job.kind]>
    },
    async close() {
      const closing = thread
      thread = undefined
      await closing?.close()
    },
  }
}

interface Thread {
  ask(job: Job, signal: AbortSignal): Promise<unknown>
  ended(): boolean
  close(): Promise<void>
}

interface Waiting {
  resolve(results: unknown): void
  reject(error: unknown): void
}

function startThread(settings: EncoderSettings, progress: (message: string) => void): Thread {
  const { url, execArgv } = ownModule(import.meta.url, "./worker/embed-worker")
  const worker = new Worker(url, { workerData: settings, execArgv })
  const waiting = new Map<number, Waiting>()
  let nextId = 0
  let hasEnded = false
  const post = (request: Request) => worker.postMessage(request)

  /** The thread keeps the process alive only while somebody waits for it. */
  function settle(id: number): Waiting | undefined {
    const settled = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    return settled
  }
  function end(error: unknown): void {
    hasEnded = true
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on("message", (reply: Reply) => {
    if (reply.type === "progress") progress(reply.message)
    else if (reply.type === "done") settle(reply.id)?.resolve(reply.results)
    else settle(reply.id)?.reject(errorOf(reply.failure))
  })
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()))
  worker.once("error", (cause) =>
    end(new EvalkitError("the embedder's thread failed", { code: "embedder_failed", cause, where: String(cause) })),
  )
  worker.once("exit", () => end(new EvalkitError("the embedder was closed", { code: "embedder_closed" })))
  worker.unref()

  return {
    ended: () => hasEnded,
    ask: (job, signal) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        const cancel = () => {
          post({ type: "cancel", id })
          settle(id)?.reject(signal.reason)
        }
        const settled = () => signal.removeEventListener("abort", cancel)
        signal.addEventListener("abort", cancel, { once: true })
        waiting.set(id, {
          resolve(results) {
            settled()
            resolve(results)
          },
          reject(error) {
            settled()
            reject(error)
          },
        })
        worker.ref()
        post({ type: "job", id, job })
      }),
    async close() {
      worker.ref()
      post({ type: "close" })
      await exited
    },
  }
}

function errorOf({ what, packageName, ...facts }: Failure): EvalkitError {
  return packageName === undefined ? new EvalkitError(what, facts) : new MissingPackageError(packageName, "an embedder")
}
