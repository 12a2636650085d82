import { parentPort } from "node:worker_threads"
import { EvalkitError, MissingPackageError, messageOf } from "../../core/errors.ts"
import type { Failure, Reply, Request } from "./messages.ts"

/** What a thread with a model does. */
export interface JobServer<Model, Job extends object> {
  /** Loads the model: at the first job, once. */
  open(progress: (message: string) => void): Promise<Model>
  /**
   * Works a job off.
   * @param proceed asked between batches, with a line for people: false stops
   */
  work(model: Model, job: Job, proceed: (message: string) => boolean): Promise<unknown>
  close(model: Model): Promise<void>
  /** Memory of the results that changes hands instead of being copied. */
  transfer?(results: unknown): ArrayBuffer[]
}

/** The thread that a model lives in: jobs come in, are worked off one after the other, and may be cancelled between batches. */
export function serveJobs<Model, Job extends object>(server: JobServer<Model, Job>): void {
  const port = parentPort
  if (!port) throw new Error("this file is a worker thread's")
  const send = (reply: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer)
  const cancelled = new Set<number>()
  let opened: Promise<Model> | undefined
  let last: Promise<void> = Promise.resolve()

  port.on("message", (request: Request) => {
    if (request.type === "cancel") cancelled.add(request.id)
    else if (request.type === "close") last = last.then(close)
    else last = last.then(() => answer(request.id, request.job as Job))
  })

  async function answer(id: number, job: Job): Promise<void> {
    try {
      if (cancelled.has(id)) return
      opened ??= server.open((message) => send({ type: "progress", message }))
      const results = await server.work(await opened, job, (message) => {
        send({ type: "progress", message })
        return !cancelled.has(id)
      })
      if (!cancelled.has(id)) send({ type: "done", id, results }, server.transfer?.(results) ?? [])
    } catch (error) {
      send({ type: "failed", id, failure: failureOf(error) })
    } finally {
      cancelled.delete(id)
    }
  }

  async function close(): Promise<void> {
    await opened?.then((model) => server.close(model)).catch(() => undefined)
    port?.close()
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof EvalkitError)) return { what: messageOf(error), code: "model_failed" }
  return {
    what: error.what,
    code: error.code,
    ...(error.where !== undefined && { where: error.where }),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error instanceof MissingPackageError && { packageName: error.packageName }),
  }
}
