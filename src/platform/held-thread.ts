import { Worker } from "node:worker_threads"
import { ownModule } from "./own-module.ts"

/** Milliseconds between two signs of life of the main thread. */
const beatMs = 500

/** What the two threads share: the first number changes while the main thread lives, the second is 1 once SIGINT was given back to the system. */
export interface HeldThreadSettings {
  readonly shared: Int32Array
  /** Written to stderr, once, when the thread has been held for a minute. */
  readonly notice: string
}

/**
 * From here on, while something holds the main thread for longer than three seconds (an endless loop of a metric, a provider or a config:
 * nobody hears a signal then, a second one no more than the first), SIGINT ends the process at once, by the system's own hand. Whoever listened to it listens again
 * once the thread is free.
 */
export function watchHeldThread(notice: string): void {
  const { url, execArgv } = ownModule(import.meta.url, "./held-thread-worker")
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const watcher = new Worker(url, { execArgv, workerData: { shared, notice } satisfies HeldThreadSettings })
  watcher.unref()
  // Without it, a held thread is as deaf as it was.
  watcher.on("error", () => {})
  setInterval(() => {
    Atomics.add(shared, 0, 1)
    if (Atomics.exchange(shared, 1, 0) === 0) return
    const listeners = process.rawListeners("SIGINT") as NodeJS.SignalsListener[]
    process.removeAllListeners("SIGINT")
    for (const listener of listeners) process.on("SIGINT", listener)
  }, beatMs).unref()
}
