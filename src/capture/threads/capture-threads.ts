import type { ClientLoad } from "../../core/client-load.ts"
import type { Clock } from "../../core/clock.ts"
import { EvalkitError, UsageError } from "../../core/errors.ts"
import type { HttpVersion } from "../../core/provider.ts"
import { monotonicOffset } from "../../platform/monotonic-offset.ts"
import type { Connections } from "../connections.ts"
import type { CaptureThread } from "./capture-thread.ts"
import { useOwnPool, useSharedPool } from "./used-pool.ts"
import type { EventReader } from "./worker-messages.ts"

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
 * {@link Connections} over capture threads: each request goes to the thread with the fewest in flight.
 *
 * Works with clocks that run like the machine's own; stamps come back on the caller's clock.
 *
 * @param size how many threads of its own; `auto`: as many as the load needs; `shared`: those of the process, as many as the load of all needs
 * @param reader reads the service's events, for the time limit of the first token; null: they are OpenAI's
 * @throws EvalkitError when a thread cannot be started
 */
export async function openCaptureThreads(
  origin: string,
  size: number | "auto" | "shared",
  version: HttpVersion = "auto",
  reader: EventReader | null = null,
): Promise<ThreadedConnections> {
  const { pool, release } = size === "shared" ? useSharedPool() : useOwnPool(size)
  const endpoint = nextEndpoint++
  const offsets = new WeakMap<Clock, number>()
  const met = new Set<CaptureThread>()
  let isClosed = false

  function offsetOf(clock: Clock): number {
    const existing = offsets.get(clock) ?? -monotonicOffset(clock)
    offsets.set(clock, existing)
    return existing
  }
  function ownThread(thread: CaptureThread): CaptureThread {
    if (!met.has(thread)) thread.meet(endpoint, origin, version, reader)
    met.add(thread)
    return thread
  }

  try {
    await pool.ready
    // Once a thread has loaded what it needs for the endpoint, no request waits for that.
    await Promise.all(pool.threads.map((thread) => ownThread(thread).open(endpoint, 0)))
  } catch (error) {
    await release()
    throw error
  }
  return {
    get threads() {
      return pool.threads.length
    },
    async capture(request, options) {
      if (options.tap)
        throw new UsageError("capture threads keep the bytes to themselves", { hint: "use the undici transport" })
      if (isClosed) throw new EvalkitError("the connections were closed", { code: "capture_thread_ended" })
      const thread = ownThread(options.answerMayWait ? pool.takeHeld() : pool.take())
      const exchange = await thread.capture(endpoint, request, options, offsetOf(options.clock))
      pool.observe(exchange)
      return exchange
    },
    unended: () => pool.unended(),
    async open(count) {
      await pool.growFor(count)
      const each = Math.ceil(count / pool.threads.length)
      await Promise.all(pool.threads.map((thread) => ownThread(thread).open(endpoint, each)))
    },
    load: () => pool.load(),
    async close() {
      if (isClosed) return
      isClosed = true
      for (const thread of met) thread.leave(endpoint)
      await release()
    },
  }
}

/** How a transport over threads is named in reports. */
export function transportOver(transport: string, threads: number): string {
  return `${transport}, ${threads === 1 ? "1 capture thread" : `${threads} capture threads`}`
}

/** Endpoints have numbers of their own in this process: no thread knows two by one. */
let nextEndpoint = 0
