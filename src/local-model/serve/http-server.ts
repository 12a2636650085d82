import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { decodedComponent } from "../../core/decoded-component.ts"
import { messageOf } from "../../core/errors.ts"
import { ApiError } from "./api-error.ts"
import { type Access, checkAccess } from "./check-access.ts"
import { metricsPage } from "./counts/metrics-page.ts"
import { createEventWriter } from "./event-writer.ts"
import type { LoadedModel } from "./load-model.ts"
import { isServed, modelCard, unknownModel } from "./model-card.ts"
import type { SequencePool } from "./sequences/sequence-pool.ts"
import { tokenizerInfo } from "./tokenization.ts"
import { type Work, works } from "./works.ts"

/** What the server answers from. */
export interface HttpServerOptions {
  readonly loaded: LoadedModel
  readonly pool: SequencePool
  readonly access: Access
  /** Whether `GET /metrics` is answered. */
  readonly metrics: boolean
  /** Longest body in bytes. */
  readonly bodyLimit: number
  /** Once true, new work is refused with 503 while what runs is finished. */
  draining(): boolean
}

/** An HTTP server, not yet listening, that speaks OpenAI's API over one loaded model. */
export function createHttpServer(options: HttpServerOptions): Server {
  const server = createServer((request, response) => {
    handle(options, request, response).catch((error: unknown) => fail(response, error))
  })
  // Clients keep idle connections for minutes; a server that drops them first resets their next request.
  server.keepAliveTimeout = 300_000
  server.headersTimeout = 60_000
  return server
}

async function handle(options: HttpServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost")
  const route = `${request.method} ${pathname.replace(/\/+$/, "") || "/"}`
  const { loaded, pool } = options
  checkAccess(request, pathname, options.access)
  if (route === "GET /health") {
    return send(response, options.draining() ? 503 : 200, {
      status: options.draining() ? "draining" : "ok",
      busy: pool.busy,
      waiting: pool.waiting,
    })
  }
  if (route === "GET /metrics" && options.metrics) {
    const text = metricsPage(loaded.counts.totals(), { busy: pool.busy, waiting: pool.waiting })
    return sendText(response, 200, text, "text/plain; version=0.0.4")
  }
  if (route === "GET /v1/models") return send(response, 200, { object: "list", data: [modelCard(loaded)] })
  if (route.startsWith(oneModel)) {
    const name = decodedComponent(route.slice(oneModel.length))
    if (!isServed(loaded, name)) throw unknownModel(name)
    return send(response, 200, modelCard(loaded))
  }
  if (route === "GET /tokenizer_info") return send(response, 200, tokenizerInfo(loaded))
  if (route === "GET /props") return send(response, 200, props(loaded, pool))
  const parse = works.get(route)
  if (!parse) throw new ApiError(404, `nothing is served at ${route.slice(0, 200)}`, { code: "not_found" })
  if (options.draining()) throw new ApiError(503, "the server is stopping", { retryAfterSeconds: 1 })
  const work = parse(await readJsonBody(request, options.bodyLimit))
  if (work.model !== null && !isServed(loaded, work.model)) throw unknownModel(work.model)
  const signal = untilGone(response)
  const served = { loaded, signal, id: `${work.prefix}-${randomUUID()}`, created: Math.floor(Date.now() / 1000) }
  if ("answer" in work) return pool.beside(signal, () => answer(response, work, signal, work.answer(served)))
  await pool.use(signal, (sequence) => answer(response, work, signal, work.complete({ ...served, sequence })))
}

/** Aborted when the client hangs up before it has its answer. */
function untilGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  // A client that hangs up in the middle of a write is none of the server's faults.
  response.on("error", () => undefined)
  response.once("close", () => {
    if (!response.writableEnded) gone.abort(new Error("the client closed the connection"))
  })
  return gone.signal
}

const oneModel = "GET /v1/models/"

async function answer(
  response: ServerResponse,
  work: Work,
  signal: AbortSignal,
  values: AsyncGenerator<unknown>,
): Promise<void> {
  const events = createEventWriter(response, signal)
  for await (const value of values) {
    if (signal.aborted) return
    if (!work.stream) return send(response, 200, value)
    await events.write(value)
  }
  events.end()
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return
  const apiError = error instanceof ApiError ? error : new ApiError(500, `the model failed: ${messageOf(error)}`)
  if (response.headersSent) {
    response.end(`data: ${JSON.stringify(apiError.body())}\n\n`)
    return
  }
  if (apiError.retryAfterSeconds !== null) response.setHeader("retry-after", String(apiError.retryAfterSeconds))
  send(response, apiError.status, apiError.body())
}

function send(response: ServerResponse, status: number, value: unknown): void {
  sendText(response, status, JSON.stringify(value), "application/json")
}

function sendText(response: ServerResponse, status: number, text: string, type: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) })
  response.end(text)
}

/**
 * Answers `GET /props` in the words of llama.cpp's server: what a run keeps of a server that it started. `model_path` is the file's name, for its
 * folder is nobody's business.
 */
function props({ file }: LoadedModel, pool: SequencePool) {
  return { total_slots: pool.size, model_path: file, build_info: "evalkit" }
}

/** Bytes beyond the limit that are read and thrown away, as a multiple of it: who sends more is hung up on. */
const patience = 8

/**
 * Reads a JSON body of at most `limit` bytes; throws 413 for a longer one and 400 for what is not JSON. A body that is too
 * long is read to its end without being kept: a client that is still sending would not hear the answer.
 */
async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else chunks = []
    if (size > patience * limit) break
  }
  if (size > limit) throw new ApiError(413, `the body is longer than ${limit} bytes`, { code: "body_too_large" })
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown
  } catch {
    throw new ApiError(400, "the body is not valid JSON", { code: "invalid_json" })
  }
}
