import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Server as SocketServer } from "node:net"
import { ofAnotherHost, selfSigned, type TestCertificate } from "./certificates.ts"
import { type ChaosFault, chaosFault } from "./faults.ts"

/** A server on loopback that fails on purpose; the rate stands in its address, the question's number in the question. */
export interface ChaosServer {
  url(rate: number): string
  /** Where nobody gets through, because of the certificate. */
  readonly tls: Readonly<Record<"selfSigned" | "wrongHost", string>>
  /** Requests that came, by what they met; of the certificates: connections. */
  log(): Readonly<Partial<Record<ChaosFault, number>>>
  reset(): void
  close(): Promise<void>
}

/** Starts the server on free ports. */
export async function startChaosServer(): Promise<ChaosServer> {
  let counts: Partial<Record<ChaosFault, number>> = {}
  const met = (fault: ChaosFault): void => {
    counts[fault] = (counts[fault] ?? 0) + 1
  }
  const server = createServer(
    (request, response) => void answer(request, response, met).catch(() => response.destroy()),
  )
  server.keepAliveTimeout = 60_000
  const guarded = { selfSigned: tlsServer(selfSigned), wrongHost: tlsServer(ofAnotherHost) }
  for (const name of ["selfSigned", "wrongHost"] as const) guarded[name].on("connection", () => met(name))
  const servers = [server, guarded.selfSigned, guarded.wrongHost]
  await Promise.all(servers.map(listen))
  const at = (s: SocketServer, scheme = "https") => `${scheme}://localhost:${(s.address() as AddressInfo).port}`
  return {
    url: (rate) => `${at(server, "http").replace("localhost", "127.0.0.1")}/${rate}/v1`,
    tls: { selfSigned: `${at(guarded.selfSigned)}/v1`, wrongHost: `${at(guarded.wrongHost)}/v1` },
    log: () => counts,
    reset: () => {
      counts = {}
    },
    close: async () => void (await Promise.all(servers.map(shut))),
  }
}

function tlsServer(certificate: TestCertificate) {
  return createTlsServer({ ...certificate }, (_, response) => response.end("{}")).on("tlsClientError", () => {})
}

function listen(server: SocketServer): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
}

function shut(server: Pick<Server, "close" | "closeAllConnections">): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  met: (fault: ChaosFault) => void,
): Promise<void> {
  let text = ""
  for await (const piece of request) text += piece
  if (request.method === "GET") return void response.end('{"data":[]}')
  const { messages } = JSON.parse(text) as { messages: { content: string }[] }
  const n = Number(messages[0]?.content)
  response.on("error", () => {})
  const fault = chaosFault(n, Number(request.url?.split("/")[1]))
  met(fault)
  if (fault !== "selfSigned" && fault !== "wrongHost") await ways[fault](response, request, n)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function event(content: string, finishReason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finishReason }] })}\n\n`
}

const end = `${event("", "stop")}data: [DONE]\n\n`

function start(response: ServerResponse, text = ""): void {
  response.writeHead(200, { "content-type": "text/event-stream" })
  if (text) response.write(text)
}

type Way = (response: ServerResponse, request: IncomingMessage, n: number) => unknown

const ways: Readonly<Record<Exclude<ChaosFault, "selfSigned" | "wrongHost">, Way>> = {
  none(response, _, n) {
    start(response, event("answer "))
    response.end(event(`${n}`) + end)
  },
  reset: (_, request) => request.socket.resetAndDestroy(),
  async resetInside(response, request) {
    start(response, event("half an ans"))
    await pause(10)
    request.socket.resetAndDestroy()
  },
  rateLimited: (response) =>
    response
      .writeHead(429, { "retry-after": "99999999999", "content-type": "application/json" })
      .end('{"error":{"message":"slow down"}}'),
  serverError: (response) => response.writeHead(500).end("<html>internal</html>"),
  /** A byte a second, for ever: never silent, and never an answer. */
  async slowLoris(response) {
    start(response)
    while (!response.destroyed) {
      response.write(":")
      await pause(1000)
    }
  },
  truncated(response) {
    start(response, event("half an ans"))
    response.end()
  },
  malformed: (response) => {
    start(response, event("half"))
    response.end(`data: {"choices":[{"delta"\n\n${end}`)
  },
  /** 200 MB, as fast as they are taken. */
  async endless(response) {
    start(response)
    const piece = event("x".repeat(64 * 1024))
    let resume = () => {}
    response.on("drain", () => resume()).on("close", () => resume())
    for (let bytes = 0; bytes < 200e6 && !response.destroyed; bytes += piece.length)
      if (!response.write(piece) && !response.destroyed)
        await new Promise<void>((resolve) => {
          resume = resolve
        })
    response.end(end)
  },
  /** A thousand events in one write. */
  burst: (response, _, n) => {
    start(response)
    response.end(event("x").repeat(1000) + event(`${n}`) + end)
  },
}
