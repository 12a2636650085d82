import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A service of HTTP on a free port of the loopback interface. */
export interface Loopback {
  readonly port: number
  /** `http://127.0.0.1:port`. */
  readonly origin: string
  /** The origin with `/v1` behind it. */
  readonly url: string
  close(): Promise<void>
}

const open = new Set<Loopback>()

/** Starts a service that answers a request when it has come whole. It ends with the file of tests, where nobody closes it before. */
export async function serveLoopback(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
): Promise<Loopback> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    response.on("error", () => {})
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => answer(request, response, Buffer.concat(parts).toString("utf8")))
  })
  // A client that others keep from the processor for long would meet connections that are just closing.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const service: Loopback = {
    port,
    origin,
    url: `${origin}/v1`,
    close: () =>
      new Promise((resolve) => {
        open.delete(service)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  open.add(service)
  return service
}

/** Ends the services that are still there. */
export async function closeLoopback(): Promise<void> {
  await Promise.all([...open].map((service) => service.close()))
}

/** A chat completion that is streamed, piece by piece. */
export interface ChatStream {
  delta(delta: object, reason?: string | null): void
  event(fields: object): void
  /** Says why it ended, unless `reason` is null, and what its prompt and its answer have in tokens, and ends the stream. */
  end(prompt: number, completion: number, reason?: string | null): void
}

/** Begins to stream a chat completion. */
export function startChat(response: ServerResponse, model = "m"): ChatStream {
  response.setHeader("content-type", "text/event-stream")
  const event = (fields: object): void => {
    const all = { id: "1", object: "chat.completion.chunk", created: 1, model, ...fields }
    response.write(`data: ${JSON.stringify(all)}\n\n`)
  }
  const delta = (of: object, reason: string | null = null) =>
    event({ choices: [{ index: 0, delta: of, finish_reason: reason }] })
  return {
    delta,
    event,
    end(prompt, completion, reason = "stop") {
      if (reason !== null) delta({}, reason)
      const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
      event({ choices: [], usage })
      response.end("data: [DONE]\n\n")
    },
  }
}

/** Answers a chat request with a text, as a stream. */
export function streamChat(
  response: ServerResponse,
  content: string,
  prompt: number,
  completion: number,
  model?: string,
) {
  const chat = startChat(response, model)
  chat.delta({ role: "assistant", content })
  chat.end(prompt, completion)
}
