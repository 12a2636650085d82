import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { hrtime } from "node:process"

/**
 * A server that streams chat completions on an absolute schedule and records when it really sent each chunk: the reference that
 * a client's stamps are compared with. Runs in a process of its own (see `startTruthServer`), so that its work is not the
 * client's. The parent reads the stamps by message; the server ends with its parent.
 */
export interface TruthSettings {
  /** First content after this many milliseconds. */
  readonly firstMs: number
  readonly intervalMs: number
  /** Chunks of an answer; one token each. */
  readonly chunks: number
}

/** What the server saw of one request. Milliseconds of the system's monotonic clock, shared by all processes. */
export interface TruthStamps {
  readonly arrivalMs: number
  readonly sendMs: readonly number[]
}

/** Messages from the server to its parent. */
export type TruthMessage =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "stamps"; readonly stamps: readonly (readonly [id: string, stamps: TruthStamps])[] }

/** Milliseconds of the system's monotonic clock. */
function monotonicMs(): number {
  return Number(hrtime.bigint()) / 1e6
}

function serve({ firstMs, intervalMs, chunks }: TruthSettings): void {
  const stamps = new Map<string, { readonly arrivalMs: number; readonly sendMs: number[] }>()

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const arrivalMs = monotonicMs()
    const parts: Buffer[] = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const id = /truth (\d+)/.exec(Buffer.concat(parts).toString("utf8"))?.[1] ?? "?"
      const sendMs: number[] = []
      stamps.set(id, { arrivalMs, sendMs })
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(event({ delta: { role: "assistant", content: "" } }))
      sendAt(0)

      function sendAt(chunk: number): void {
        const text = event({ delta: { content: ` ${chunk}` } })
        at(arrivalMs + firstMs + intervalMs * chunk, () => {
          sendMs.push(monotonicMs())
          response.write(text)
          if (chunk + 1 < chunks) return sendAt(chunk + 1)
          response.write(event({ delta: {}, finish_reason: "stop" }))
          response.write(usageEvent(chunks))
          response.end("data: [DONE]\n\n")
        })
      }
    })
  }

  const server = createServer(answer)
  server.keepAliveTimeout = 60_000
  server.listen(0, "127.0.0.1", () =>
    process.send?.({ kind: "listening", port: (server.address() as AddressInfo).port } satisfies TruthMessage),
  )
  process.on("message", () => process.send?.({ kind: "stamps", stamps: [...stamps] } satisfies TruthMessage))
  process.on("disconnect", () => process.exit(0))
}

/**
 * Runs an action at an absolute time or up to two milliseconds later, never before it. What counts is when a chunk was really sent, and that is
 * recorded: a loop that turned until the moment would take a processor from the client whose stamps are checked. Whole milliseconds, so that
 * thousands of streams share a few lists of timers.
 */
function at(timeMs: number, action: () => void): void {
  const leftMs = timeMs - monotonicMs()
  if (leftMs <= 0) action()
  else setTimeout(() => at(timeMs, action), Math.ceil(leftMs))
}

function event(choice: { readonly delta: object; readonly finish_reason?: string }): string {
  const choices = [{ index: 0, finish_reason: null, ...choice }]
  return `data: ${JSON.stringify({ id: "truth", object: "chat.completion.chunk", created: 1, model: "truth", choices })}\n\n`
}

function usageEvent(tokens: number): string {
  const usage = { prompt_tokens: 2, completion_tokens: tokens, total_tokens: tokens + 2 }
  const chunk = { id: "truth", object: "chat.completion.chunk", created: 1, model: "truth", choices: [], usage }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

const settings = process.env.EVALKIT_TRUTH_SERVER
if (process.send && settings) serve(JSON.parse(settings) as TruthSettings)
