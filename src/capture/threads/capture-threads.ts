import { availableParallelism } from "node:os"
import type { ClientLoad } from "../../core/client-load.ts"
import type { Clock } from "../../core/clock.ts"
import { UsageError } from "../../core/errors.ts"
import type { HttpVersion } from "../../core/provider.ts"
import { parallelLoads } from "../../perf/client/client-loads.ts"
import { monotonicOffset } from "../../platform/monotonic-offset.ts"
import type { Connections } from "../connections.ts"
import type { Exchange } from "../exchange.ts"
import { type CaptureThread, startCaptureThread } from "./capture-thread.ts"

/** Connections whose event loops run in threads of their own. */
export interface ThreadedConnections extends Connections {
  readonly threads: number
  /** Requests that have not ended; an answer that waits to be handed over has. */
  unended(): number
  /** Opens as many connections beforehand, spread over the threads, so that no request has to connect. */
  open(count: number): Promise<void>
  /** What the capture loops went through since the last call: the busiest one's figures, the sums of what adds up. */
  load(): Promise<ClientLoad>
}

/**
 * {@link Connections} over capture threads: each request goes to the thread with the fewest in flight. `auto` begins with
 * one thread and adds another, up to one less than the machine's processors, when a loop would have to take more than
 * 5,000 chunks a second at the rate of the streams so far.
 *
 * Works with clocks that run like the machine's own; stamps come back on the caller's clock.
 *
 * @throws EvalkitError when a thread cannot be started
 */
export async function openCaptureThreads(
  origin: string,
  wanted: number | "auto",
  version: HttpVersion = "auto",
): Promise<ThreadedConnections> {
  const underWay = new Int32Array(new SharedArrayBuffer(4))
  const start = (): CaptureThread => startCaptureThread(origin, version, underWay)
  const threads = Array.from({ length: wanted === "auto" ? 1 : wanted }, start)
  const most = wanted === "auto" ? Math.max(1, availableParallelism() - 1) : wanted
  const offsets = new WeakMap<Clock, number>()
  let chunksPerSecond = 0
  let starting: CaptureThread | null = null
  let mayGrow = true

  function offsetOf(clock: Clock): number {
    const known = offsets.get(clock) ?? -monotonicOffset(clock)
    offsets.set(clock, known)
    return known
  }
  /** A thread is used once its loop runs: until then the others take its share. */
  function growIfNeeded(thread: CaptureThread): void {
    if (starting || !mayGrow || threads.length >= most) return
    if ((thread.unended + 1) * chunksPerSecond > mostChunksPerSecond) void grow()
  }
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
  function observe(exchange: Exchange): void {
    const seconds = (exchange.endMs - exchange.sendMs) / 1000
    if (seconds > 0) chunksPerSecond = Math.max(chunksPerSecond / 2, exchange.stampsMs.length / seconds)
  }

  try {
    await Promise.all(threads.map(({ ready }) => ready))
  } catch (error) {
    await Promise.all(threads.map((thread) => thread.close()))
    throw error
  }
  return {
    get threads() {
      return threads.length
    },
    async capture(request, options) {
      if (options.tap)
        throw new UsageError("capture threads keep the bytes to themselves", { hint: "use the undici transport" })
      const thread = threads.reduce((best, other) => (other.unended < best.unended ? other : best))
      // Requests that are handed over long before their moments say nothing of how many there will be at once: `open` does.
      if (!options.answerMayWait) growIfNeeded(thread)
      const exchange = await thread.capture(request, options, offsetOf(options.clock))
      observe(exchange)
      return exchange
    },
    unended: () => threads.reduce((sum, thread) => sum + thread.unended, 0),
    async open(count) {
      while (
        !starting &&
        mayGrow &&
        threads.length < most &&
        count * chunksPerSecond > mostChunksPerSecond * threads.length
      )
        await grow()
      const each = Math.ceil(count / threads.length)
      await Promise.all(threads.map((thread) => thread.open(each)))
    },
    load: async () => parallelLoads(await Promise.all(threads.map((thread) => thread.load()))),
    async close() {
      mayGrow = false
      await Promise.all([...threads, ...(starting ? [starting] : [])].map((thread) => thread.close()))
    },
  }
}

/** What one event loop stamps without being late itself. */
const mostChunksPerSecond = 5000
