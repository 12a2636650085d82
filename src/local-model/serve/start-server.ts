import type { AddressInfo } from "node:net"
import { UsageError } from "../../core/errors.ts"
import { createHttpServer } from "./http-server.ts"
import { type LoadModelOptions, loadModel } from "./load-model.ts"
import { createSequencePool } from "./sequences/sequence-pool.ts"

/** What is served, and where. */
export interface ServeOptions extends LoadModelOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** What clients must send as `Authorization: Bearer …`. Default: nothing. */
  readonly token?: string
  /** Requests that may wait for a sequence before new ones get 429. */
  readonly queue: number
  /** Whether `GET /metrics` is answered, in the words of llama.cpp's server. Default: no, as there. */
  readonly metrics?: boolean
}

/** A server that is up. */
export interface RunningServer {
  /** `http://127.0.0.1:4321/v1` */
  readonly baseUrl: string
  readonly model: string
  readonly contextSize: number
  readonly loadMs: number
  /** Refuses new work, lets what runs end (5 s at most), then frees the model. Idempotent. */
  stop(): Promise<void>
}

const bodyLimit = 8 * 1024 * 1024
const drainMs = 5000

/** Loads the model and listens. Throws {@link UsageError} when the file or the address cannot be used. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const loaded = await loadModel(options)
  const pool = createSequencePool(loaded.context, options.queue)
  let draining = false
  const server = createHttpServer({
    loaded,
    pool,
    bodyLimit,
    metrics: options.metrics === true,
    access: { host: options.host, token: options.token ?? null },
    draining: () => draining,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(options.port, options.host, resolve)
    })
  } catch (error) {
    await loaded.dispose()
    throw new UsageError("the server cannot listen", {
      code: "listen_failed",
      where: `${options.host}:${options.port}`,
      hint: "choose another port, or 0 for any free one",
      cause: error,
    })
  }
  const { address, port, family } = server.address() as AddressInfo
  let stopped: Promise<void> | undefined
  const stop = async () => {
    draining = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // A connection that is kept alive turns idle only when its answer has ended.
    const sweep = setInterval(() => server.closeIdleConnections(), 20)
    const force = setTimeout(() => server.closeAllConnections(), drainMs)
    await closed
    clearInterval(sweep)
    clearTimeout(force)
    await loaded.dispose()
  }
  return {
    baseUrl: `http://${family === "IPv6" ? `[${address}]` : address}:${port}/v1`,
    model: loaded.name,
    contextSize: loaded.contextSize,
    loadMs: loaded.loadMs,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}
