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

/** Writes an event of a chat completion that is streamed. */
export function chatEvent(response: ServerResponse, fields: object): void {
  const event = { id: "1", object: "chat.completion.chunk", created: 1, model: "m", ...fields }
  response.write(`data: ${JSON.stringify(event)}\n\n`)
}

/** Ends a streamed chat completion: why it ended, its prompt's and its own tokens, and the end of the stream. */
export function endChat(response: ServerResponse, prompt: number, completion: number, reason = "stop"): void {
  chatEvent(response, { choices: [{ index: 0, delta: {}, finish_reason: reason }] })
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  chatEvent(response, { choices: [], usage })
  response.end("data: [DONE]\n\n")
}

/** Answers a chat request with a text, as a stream. */
export function streamChat(response: ServerResponse, content: string, prompt: number, completion: number): void {
  response.setHeader("content-type", "text/event-stream")
  chatEvent(response, { choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] })
  endChat(response, prompt, completion)
}
