import { availableParallelism } from "node:os"
import type { ClientLoad } from "../../core/client-load.ts"
import { parallelLoads } from "../../perf/client/client-loads.ts"
import type { Exchange } from "../exchange.ts"
import { type CaptureThread, startCaptureThread } from "./capture-thread.ts"

/** Capture threads that sessions share. */
export interface ThreadPool {
  readonly threads: readonly CaptureThread[]
  /** Resolves when each of its first threads runs; rejects when one cannot be started. */
  readonly ready: Promise<void>
  /** The thread with the fewest requests; starts another one where its loop would have more to stamp than it can. */
  take(): CaptureThread
  /** The thread with the fewest requests, for one that is handed over long before its moment: it says nothing of how many there will be at once. */
  takeHeld(): CaptureThread
  /** Starts threads for as many requests at once. */
  growFor(requests: number): Promise<void>
  /** Learns from an answer how many chunks a stream has. */
  observe(exchange: Exchange): void
  /** Requests that have not ended; an answer that waits to be handed over has. */
  unended(): number
  /** Whether one of its threads has ended by itself: what is sent by it fails. */
  hasFailed(): boolean
  /** What the loops went through since the last call: the busiest one's figures, the sums of what adds up. */
  load(): Promise<ClientLoad>
  close(): Promise<void>
}

/** What one event loop stamps without being late itself. */
const maxChunksPerSecond = 5000

/**
 * Starts capture threads. `auto` begins with one thread and adds another, up to one less than the machine's processors, when a loop
 * would have to take more than 5,000 chunks a second at the rate of the streams so far.
 */
export function startThreadPool(count: number | "auto"): ThreadPool {
  const underWay = new Int32Array(new SharedArrayBuffer(4))
  const start = (): CaptureThread => startCaptureThread(underWay)
  const threads = Array.from({ length: count === "auto" ? 1 : count }, start)
  const max = count === "auto" ? Math.max(1, availableParallelism() - 1) : count
  let chunksPerSecond = 0
  let starting: CaptureThread | null = null
  let mayGrow = true

  const leastBusy = (): CaptureThread => threads.reduce((best, other) => (other.unended < best.unended ? other : best))
  /** A thread is used once its loop runs: until then the others take its share. */
  async function grow(): Promise<void> {
    const another = start()
    starting = another
    try {
      await another.ready
      threads.push(another)
    } catch {
      // The threads that run go on; a machine that cannot start one more is not asked again.
      mayGrow = false
    }
    starting = null
  }
  const ready = Promise.all(threads.map((thread) => thread.ready)).then(() => {})
  // Who opens a session hears of it.
  ready.catch(() => {})
  return {
    threads,
    ready,
    take() {
      const thread = leastBusy()
      const isFull = (thread.unended + 1) * chunksPerSecond > maxChunksPerSecond
      if (isFull && !starting && mayGrow && threads.length < max) void grow()
      return thread
    },
    takeHeld: leastBusy,
    async growFor(requests) {
      while (
        !starting &&
        mayGrow &&
        threads.length < max &&
        requests * chunksPerSecond > maxChunksPerSecond * threads.length
      )
        await grow()
    },
    observe(exchange) {
      const seconds = (exchange.endMs - exchange.sendMs) / 1000
      if (seconds > 0) chunksPerSecond = Math.max(chunksPerSecond / 2, exchange.stampsMs.length / seconds)
    },
    unended: () => threads.reduce((sum, thread) => sum + thread.unended, 0),
    hasFailed: () => threads.some((thread) => thread.hasFailed),
    load: async () => parallelLoads(await Promise.all(threads.map((thread) => thread.load()))),
    async close() {
      mayGrow = false
      await Promise.all([...threads, ...(starting ? [starting] : [])].map((thread) => thread.close()))
    },
  }
}
