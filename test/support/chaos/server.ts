import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Outcome } from "../../../src/core/outcome.ts"

/** What goes wrong, and the class that the answer must end in. */
export const chaosFaults = {
  none: "ok",
  reset: "connection",
  resetInside: "connection",
  rateLimited: "rate_limited",
  serverError: "http_5xx",
  slowLoris: "timeout_first_token",
  truncated: "truncated",
  malformed: "malformed",
  endless: "malformed",
  burst: "ok",
} as const satisfies Record<string, Outcome>

/** One of {@link chaosFaults}. */
export type ChaosFault = keyof typeof chaosFaults

const faulty = (Object.keys(chaosFaults) as ChaosFault[]).filter((fault) => fault !== "none")

/** The fault that the n-th question meets, the same in every process: no fault but for `rate` of the questions. */
export function chaosFault(n: number, rate: number): ChaosFault {
  const mixed = Math.imul(n + 1, 2_654_435_761) >>> 0
  if (mixed / 2 ** 32 >= rate) return "none"
  return faulty[(Math.imul(mixed ^ (mixed >>> 15), 2_246_822_519) >>> 7) % faulty.length] as ChaosFault
}

/** A server on loopback that fails on purpose; the rate stands in its address, the question's number in the question. */
export interface ChaosServer {
  url(rate: number): string
  close(): Promise<void>
}

/** Starts the server on a free port. */
export async function startChaosServer(): Promise<ChaosServer> {
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (rate) => `http://127.0.0.1:${port}/${rate}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ""
  for await (const piece of request) text += piece
  if (request.method === "GET") return void response.end('{"data":[]}')
  const { messages } = JSON.parse(text) as { messages: { content: string }[] }
  const n = Number(messages[0]?.content)
  response.on("error", () => {})
  await ways[chaosFault(n, Number(request.url?.split("/")[1]))](response, request, n)
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

const ways: Readonly<Record<ChaosFault, Way>> = {
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
  /** A byte now and then, for ever: never silent, and never an answer. */
  async slowLoris(response) {
    start(response)
    while (!response.destroyed) {
      response.write(":")
      await pause(50)
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
