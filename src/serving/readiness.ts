import type { EvalkitError } from "../core/errors.ts"
import { requestInTime } from "../platform/request-in-time.ts"
import { acceptsConnections } from "./port-owner.ts"
import type { ServerProcess } from "./process.ts"

/**
 * When a server counts as ready. The first form that is given decides; the process must still be alive then.
 * @experimental
 */
export interface Readiness {
  /** A URL that answers 2xx when the model is loaded (`http://127.0.0.1:8000/health`). */
  readonly url?: string
  /** A port on 127.0.0.1 that accepts a connection. */
  readonly port?: number
  /** A line of the server's output; its match is handed to `baseUrl` when that is a function. */
  readonly logPattern?: RegExp
  /** Milliseconds until the start counts as failed. Default 300 000. */
  readonly timeoutMs?: number
}

const pollMs = 100
const probeTimeoutMs = 2000

/**
 * Waits until a server is ready. Resolves with the matching line where `logPattern` decides, else with null.
 * Throws {@link EvalkitError}: it ended first, it did not get ready in time, or the signal aborted.
 */
export async function waitUntilReady(
  server: ServerProcess,
  readiness: Readiness,
  signal: AbortSignal,
  fail: (what: string, code: string) => EvalkitError,
): Promise<RegExpExecArray | null> {
  const timeoutMs = readiness.timeoutMs ?? 300_000
  const finished = new AbortController()
  const stopped = AbortSignal.any([signal, finished.signal])
  let timer: NodeJS.Timeout | undefined
  const outOfTime = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fail(`was not ready after ${timeoutMs} ms`, "server_not_ready")), timeoutMs)
    signal.addEventListener("abort", () => reject(fail("was stopped while it started", "server_cancelled")), {
      once: true,
    })
  })
  const died = server.ended.then((how) => {
    throw fail(`ended before it was ready (${how})`, "server_died")
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([probe(server, readiness, stopped), died, outOfTime])
  } finally {
    clearTimeout(timer)
    finished.abort()
  }
}

async function probe(
  server: ServerProcess,
  readiness: Readiness,
  stopped: AbortSignal,
): Promise<RegExpExecArray | null> {
  if (readiness.logPattern) return server.log.find(readiness.logPattern)
  const { url, port } = readiness
  while (!stopped.aborted) {
    if (url === undefined ? port === undefined || (await acceptsConnections(port)) : await answers(url)) return null
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return null
}

async function answers(url: string): Promise<boolean> {
  try {
    return await requestInTime(url, { timeoutMs: probeTimeoutMs }, ({ ok }) => ok)
  } catch {
    return false
  }
}
