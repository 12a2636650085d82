import { Worker } from "node:worker_threads"
import { EvalkitError } from "../../core/errors.ts"
import type { ScoredForeignAnswer } from "../../engine/score/score-file.ts"
import { ownModule } from "../../platform/own-module.ts"
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
 * A scorer over worker threads. Metrics are values that no thread can send to another, so each thread loads the config
 * itself. A batch goes to the thread with the fewest batches. A thread that dies fails its batches.
 */
export function workerPool(options: {
  readonly workers: number
  readonly configPath: string
  readonly cacheDirectory: string
}): Scorer {
  const { url, execArgv } = ownModule(import.meta.url, "./score-worker")
  const { configPath, cacheDirectory } = options
  const threads = Array.from({ length: options.workers }, () => {
    const worker = new Worker(url, { workerData: { configPath, cacheDirectory }, execArgv })
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
