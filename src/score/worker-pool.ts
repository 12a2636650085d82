import { Worker } from "node:worker_threads"
import { EvalkitError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { OwnModule } from "../platform/own-module.ts"

/** What a worker sends. */
type Message<Scored> =
  | { readonly ready: true }
  | { readonly id: number; readonly scored: Scored }
  | { readonly id: number; readonly failed: { message: string; code: string; exitCode?: number } }

interface Waiting<Scored> {
  resolve(scored: Scored): void
  reject(error: unknown): void
}

interface Thread<Scored> {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting<Scored>>
  /** Set once it has ended, with why. */
  ended: { readonly error: unknown } | null
}

/** Threads that score what they are sent, batch by batch. */
export interface WorkerPool<Batch, Scored> {
  score(batch: Batch): Promise<Scored>
  close(): Promise<void>
}

/**
 * A scorer over worker threads. Metrics are values that no thread can send to another, so each thread builds its own from
 * what it is given. A batch goes to the thread with the fewest batches. A thread that dies fails its batches.
 */
export function workerPool<Batch, Scored>(options: {
  readonly workers: number
  /** What each thread runs: it posts `{ ready }`, and answers `{ id, batch }` with `{ id, scored }` or `{ id, failed }`. */
  readonly module: OwnModule
  /** Handed to each thread as it is. */
  readonly workerData: JsonObject
}): WorkerPool<Batch, Scored> {
  const { module, workerData } = options
  const threads = Array.from({ length: options.workers }, () => {
    const worker = new Worker(module.url, { workerData, execArgv: module.execArgv })
    const waiting = new Map<number, Waiting<Scored>>()
    const thread: Thread<Scored> = { worker, waiting, ended: null }
    const fail = (error: unknown) => {
      thread.ended ??= { error }
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    worker.on("message", (message: Message<Scored>) => {
      if (!("id" in message)) return
      const settle = waiting.get(message.id)
      waiting.delete(message.id)
      if ("scored" in message) settle?.resolve(message.scored)
      else settle?.reject(new EvalkitError(message.failed.message, message.failed))
    })
    worker.on("error", fail)
    worker.on("exit", (code) => fail(new EvalkitError(`a worker ended with code ${code}`, { code: "worker_ended" })))
    return thread
  })
  let nextId = 0
  return {
    score(batch) {
      const thread = threads.reduce((best, other) => (other.waiting.size < best.waiting.size ? other : best))
      const id = nextId++
      return new Promise((resolve, reject) => {
        // Nothing would answer.
        if (thread.ended) return reject(thread.ended.error)
        thread.waiting.set(id, { resolve, reject })
        thread.worker.postMessage({ id, batch })
      })
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
