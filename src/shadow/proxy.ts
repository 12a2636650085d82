import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Dispatcher } from "undici"
import { connectionLost, type Interruption, wasClosing } from "../capture/exchange.ts"
import { messageOf } from "../core/errors.ts"
import { listen } from "../platform/listen.ts"
import { dispatcherFor } from "../platform/proxy.ts"
import { isSecretName } from "../text/secrets.ts"
import { isChat, readChatBody } from "./chat-request.ts"
import type { Mirror, MirrorStatus } from "./mirror.ts"

/** A running proxy. */
export interface ShadowProxy {
  /** `http://host:port`. */
  readonly origin: string
  /** All requests so far, those that are no chat among them. */
  requests(): number
  /** Takes no new request, and resolves when those under way have ended, or were cut off after so many milliseconds. */
  close(patienceMs: number): Promise<void>
}

/** What a proxy is made of. */
export interface ProxyOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Requests go to its origin, at the path that they have. */
  readonly primary: URL
  readonly mirror: Pick<Mirror, "draw" | "offer" | "skip">
  status(): MirrorStatus & { readonly requests: number }
}

/** Where the counts are asked for. */
export const statusPath = "/__evalkit/status"

/** A request whose body is longer, or of unknown length, is passed on as it comes, and not mirrored. */
const maxBodyBytes = 1024 * 1024
/** A mirrored request whose answer is longer is passed on, and not stored. */
const maxAnswerBytes = 8 * 1024 * 1024

/** Fields between two neighbours, which are not passed on (RFC 9110, section 7.6.1). */
const hopByHop = [
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade"],
]

/** How a connection ends that the server was just closing when a request was sent on it; such a request is sent again, once. */
const closedCodes: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])
const onKeptAlive = { sent: true, connectMs: null, status: null }

/** Starts the proxy. What it does for the mirror it does behind what the caller waits for. @throws UsageError where it cannot listen */
export async function startProxy(options: ProxyOptions): Promise<ShadowProxy> {
  const { host, port, primary } = options
  const { Agent } = await import("undici")
  const dispatcher = (await dispatcherFor(primary)) ?? new Agent({ connect: { timeout: 60_000 } })
  let requests = 0
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    if (request.method === "GET" && request.url === statusPath) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(options.status()))
      return
    }
    requests++
    void forward(request, response, options, dispatcher).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 300_000
  const origin = await listen(server, host, port)
  return {
    origin,
    requests: () => requests,
    async close(patienceMs) {
      const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
      clearTimeout(cut)
      await dispatcher.destroy()
    },
  }
}

/** Passes a request on, and its answer back. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { primary, mirror }: ProxyOptions,
  dispatcher: Dispatcher,
): Promise<void> {
  const gone = new AbortController()
  response.once("close", () => response.writableFinished || gone.abort())
  response.on("error", () => {})
  response.sendDate = false
  const path = request.url?.startsWith("/") ? request.url : new URL(request.url ?? "/", "http://x").pathname
  const body = await bodyOf(request)
  const sentAtMs = Date.now()
  const sendMs = performance.now()
  const send = () =>
    dispatcher.request({
      origin: primary.origin,
      path,
      method: request.method as Dispatcher.HttpMethod,
      body,
      signal: gone.signal,
      headers: passed(request.rawHeaders, ["host", "expect"]),
      responseHeaders: "raw",
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const sent = send().catch((error: NodeJS.ErrnoException) => {
    const wasLost = closedCodes.has(error.code ?? "") && wasClosing(onKeptAlive, performance.now() - sendMs, null)
    if (wasLost && body !== request && !gone.signal.aborted) return send()
    throw error
  })
  const tee = teeOf(request, path, body, mirror)
  let interruption: Interruption | null = null
  const chunks: Buffer[] = []
  const stampsMs: number[] = []
  let [status, headersMs, bytes]: [number | null, number | null, number] = [null, null, 0]
  let headers: readonly (readonly [string, string])[] = []
  try {
    const answer = await sent
    ;[status, headersMs] = [answer.statusCode, performance.now()]
    const raw = (answer.headers as unknown as readonly (string | Buffer)[]).map(String)
    response.writeHead(answer.statusCode, answer.statusText, passed(raw, []))
    response.flushHeaders()
    if (tee) {
      headers = pairsOf(raw).map(([name, value]) => [name.toLowerCase(), value])
      answer.body.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxAnswerBytes) return
        chunks.push(chunk)
        stampsMs.push(performance.now())
      })
    }
    await new Promise<void>((resolve, reject) => {
      answer.body.once("error", reject).once("end", resolve).pipe(response)
    })
  } catch (error) {
    interruption = connectionLost(error as Error)
    if (response.headersSent || gone.signal.aborted) response.destroy()
    else unreachable(response, error)
  }
  if (!tee) return
  if (gone.signal.aborted) return mirror.skip("caller_left")
  if (bytes > maxAnswerBytes) return mirror.skip("answer_too_large")
  const endMs = performance.now()
  setImmediate(() => {
    let length = 0
    const ends = chunks.map((chunk) => (length += chunk.length))
    mirror.offer({
      body: new Uint8Array(tee.body),
      cluster: tee.cluster,
      secrets: secretsOf(request),
      sentAtMs,
      primary: {
        sendMs,
        connectMs: null,
        headersMs,
        endMs,
        status,
        headers,
        stampsMs,
        ends,
        interruption,
        bytes: new Uint8Array(Buffer.concat(chunks)),
      },
    })
  })
}

/** A body of a known and moderate length, whole; any other as it comes; null: none. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | IncomingMessage | null> {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (request.headers["transfer-encoding"] === undefined && !(length > 0)) return null
  if (!(length <= maxBodyBytes)) return request
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/** The request, where it is drawn; its own answer is under way by now. */
function teeOf(
  request: IncomingMessage,
  path: string,
  body: Buffer | IncomingMessage | null,
  mirror: ProxyOptions["mirror"],
): { readonly body: Buffer; readonly cluster: string } | null {
  if (!isChat(request.method, path) || body === null) return null
  if (!Buffer.isBuffer(body)) {
    mirror.skip("request_too_large")
    return null
  }
  const chat = readChatBody(body)
  const cluster = chat && mirror.draw(chat)
  return cluster === null ? null : { body, cluster }
}

/** The caller's keys, to be found where an answer repeats them. */
function secretsOf({ headers }: IncomingMessage): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    isSecretName(name) ? [value ?? []].flat().map((text) => text.replace(/^bearer\s+/i, "")) : [],
  )
}

function pairsOf(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ""] as const] : []))
}

/** Headers as they came, but for those of this hop and some others. */
function passed(raw: readonly string[], others: readonly string[]): string[] {
  const pairs = pairsOf(raw)
  const named = pairs.flatMap(([name, value]) =>
    name.toLowerCase() === "connection" ? value.toLowerCase().split(/\s*,\s*/) : [],
  )
  const left = new Set([...hopByHop, ...named, ...others])
  return pairs.flatMap(([name, value]) => (left.has(name.toLowerCase()) ? [] : [name, value]))
}

/** What a gateway answers for a service that it cannot reach, in the form of OpenAI's errors. */
function unreachable(response: ServerResponse, error: unknown): void {
  const message = `the primary cannot be reached: ${messageOf(error)}`
  response
    .writeHead(502, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { message, type: "bad_gateway", code: "primary_unreachable", param: null } }))
}
