import type { Dispatcher, Pool } from "undici"
import type { Clock } from "../core/clock.ts"
import type { Timeouts } from "../core/provider.ts"
import { lookupOf } from "../platform/local-name.ts"
import { type Cancellation, interruptOn } from "./cancellation.ts"
import { endpointProxy } from "./endpoint-proxy.ts"
import { type Exchange, type LostExchange, maxResends } from "./exchange.ts"
import { createHeartbeat, type Watch } from "./heartbeat.ts"
import { createConnector } from "./proxied-connector.ts"
import { hasText, isOver, type ReadEvents } from "./read-answer.ts"
import { Recorder, type Tap } from "./recorder.ts"
import { watch } from "./watchdog.ts"
import { type Origin, readOrigin } from "./wire/request-head.ts"

/** What is sent. `path` includes the query. */
export interface HttpRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** How an exchange is captured. */
export interface CaptureOptions {
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly signal: AbortSignal | Cancellation
  readonly maxAnswerBytes: number
  readonly tap?: Tap
  /** `clock.now()` before which it is not sent; absent: at once. Only capture threads hold a request. */
  readonly sendAtMs?: number
  /** One that is held waits beyond its moment while so many are under way; absent: for none. */
  readonly maxInFlight?: number
  /** Nobody waits for this answer alone: a capture thread may keep it until all it was asked has ended, so that nobody works meanwhile. */
  readonly answerMayWait?: boolean
  /** How the service's events are read, for the time limit of the first token; absent: as OpenAI's chat completions. */
  readonly read?: ReadEvents
}

/** Kept-alive connections to one origin: as many as there are requests at the same time, one request each. */
export interface Connections {
  /**
   * Sends a request and records what comes back. Never rejects for a failure of the service. A request that met a connection
   * which the server was just closing is sent again, as browsers and curl do: llama.cpp's server closes after every stream. The
   * exchange names what was lost so, and says when this thread's event loop stood still meanwhile.
   */
  capture(request: HttpRequest, options: CaptureOptions): Promise<Exchange>
  close(): Promise<void>
}

/** Opens no connection yet. Idle ones are kept for a minute, or as long as the server allows. */
export async function openConnections(origin: string): Promise<Connections> {
  const { Pool, buildConnector } = await import("undici")
  const target = readOrigin(origin, endpointProxy(origin))
  const connector = await createConnector(target, buildConnector({ timeout: 0, ...lookupOf(target.host) }))
  const heartbeat = createHeartbeat()
  /** The recorder whose dispatch is running: a connection that it asks for is opened within that call. */
  let dispatching: Recorder | null = null
  /** Recorders without a connection yet. undici opens one later for a request that it had queued behind a closing one. */
  const waiting = new Set<Recorder>()
  const endpoint: { handshakeMs: number | null } = { handshakeMs: null }

  const { proxy, isTunnelled } = target
  const firstHop = proxy && !isTunnelled ? `${proxy.isTls ? "https" : "http"}://${proxy.shown}` : origin
  const pool: Pool = new Pool(firstHop, {
    connections: null,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 60_000,
    connect: (options, callback) => {
      const asking = dispatching ?? [...waiting].find(({ sent }) => !sent)
      if (asking) waiting.delete(asking)
      const connected = asking?.connecting()
      connector.connect(options, (...result) => {
        if (!result[0]) connected?.()
        callback(...result)
      })
    },
  })

  /** One try on one connection. */
  const attempt = async (request: HttpRequest, options: CaptureOptions, { stalledMs }: Watch): Promise<Recorder> => {
    const { clock, signal } = options
    const recorder = new Recorder(clock, options.maxAnswerBytes, options.tap ?? null, endpoint)
    interruptOn(signal, recorder)
    if (!recorder.settled) {
      dispatching = recorder
      waiting.add(recorder)
      try {
        pool.dispatch(toDispatch(request, target), recorder)
      } finally {
        dispatching = null
      }
      watch(
        recorder,
        options.timeouts,
        clock,
        {
          hasText: () => hasText(recorder, options.read),
          isOver: () => isOver(recorder, options.read),
        },
        stalledMs,
      )
    }
    await recorder.finished
    waiting.delete(recorder)
    return recorder
  }

  return {
    async capture(request, options) {
      const watching = heartbeat.watch()
      const lost: LostExchange[] = []
      let recorder = await attempt(request, options, watching)
      while (recorder.isStale && lost.length < maxResends) {
        const { sendMs, endMs, interruption } = await recorder.finished
        lost.push({ sendMs, endMs, message: interruption?.message ?? "the connection was closed" })
        recorder = await attempt(request, options, watching)
      }
      const exchange = await recorder.finished
      const stalledMs = watching.stalledMs()
      watching.end()
      const { interruption } = exchange
      if (!interruption) await connectionIsFree()
      else if (recorder.isStale) options.tap?.fail(new Error(interruption.message))
      return { ...exchange, ...(lost.length > 0 && { lost }), ...(stalledMs > 0 && { stalledMs }) }
    },
    close() {
      connector.close()
      return pool.destroy()
    },
  }
}

/** undici frees a connection one turn of the event loop after the last byte; a request that started sooner would connect anew. */
function connectionIsFree(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function toDispatch({ method, path, headers, body }: HttpRequest, target: Origin): Dispatcher.DispatchOptions {
  const { proxy, isTunnelled, authority } = target
  if (proxy === null || isTunnelled) return { method, path, headers: { ...headers }, body, blocking: false }
  const { authorization } = proxy
  const ofProxy = { host: authority, ...headers, ...(authorization && { "proxy-authorization": authorization }) }
  return { method, path: `http://${authority}${path}`, headers: ofProxy, body, blocking: false }
}
