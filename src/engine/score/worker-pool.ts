import { Worker } from "node:worker_threads"
import { EvalkitError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { OwnModule } from "../../platform/own-module.ts"
import type { ScoredForeignAnswer } from "./score-file.ts"
import type { RowBatch, Scorer } from "./scorer.ts"

/** What a worker sends. */
type Message =
  | { readonly ready: true }
  | { readonly id: number; readonly scored: readonly ScoredForeignAnswer[] }
  | { readonly id: number; readonly failed: { message: string; code: string; exitCode?: number } }

interface Waiting {
  resolve(scored: readonly ScoredForeignAnswer[]): void
  reject(error: unknown): void
}

/**
 * A scorer over worker threads. Metrics are values that no thread can send to another, so each thread builds its own from
 * what it is given. A batch goes to the thread with the fewest batches. A thread that dies fails its batches.
 */
export function workerPool(options: {
  readonly workers: number
  /** What each thread runs: it posts `{ ready }`, and answers `{ id, batch }` with `{ id, scored }` or `{ id, failed }`. */
  readonly module: OwnModule
  /** Handed to each thread as it is. */
  readonly workerData: JsonObject
}): Scorer {
  const { module, workerData } = options
  const threads = Array.from({ length: options.workers }, () => {
    const worker = new Worker(module.url, { workerData, execArgv: module.execArgv })
    const waiting = new Map<number, Waiting>()
    const fail = (error: unknown) => {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    worker.on("message", (message: Message) => {
      if (!("id" in message)) return
      const settle = waiting.get(message.id)
      waiting.delete(message.id)
      if ("scored" in message) settle?.resolve(message.scored)
      else settle?.reject(new EvalkitError(message.failed.message, message.failed))
    })
    worker.on("error", fail)
    worker.on("exit", (code) => fail(new EvalkitError(`a worker ended with code ${code}`, { code: "worker_ended" })))
    return { worker, waiting }
  })
  let nextId = 0
  return {
    score(batch: RowBatch) {
      const thread = threads.reduce((best, other) => (other.waiting.size < best.waiting.size ? other : best))
      const id = nextId++
      return new Promise((resolve, reject) => {
        thread.waiting.set(id, { resolve, reject })
        thread.worker.postMessage({ id, batch })
      })
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
