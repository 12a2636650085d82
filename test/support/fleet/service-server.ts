import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A chat request as the service got it. */
export interface Asked {
  readonly model: string
  /** All messages, one after the other. */
  readonly text: string
  /** Messages of it that are the model's own. */
  readonly rounds: number
  /** The `x-worker` header. */
  readonly worker: string
  readonly atMs: number
  /** When its answer went out; null while there is none. */
  answeredMs: number | null
  readonly maxTokens: number
  /** US dollars that it was billed. */
  usd: number
}

/** What the service does with a request. */
export interface Served {
  readonly text: string
  /** Calls of tools instead of a text, by name. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[]
  readonly delayMs?: number
  /** The answer waits for it, too. */
  readonly after?: Promise<unknown>
  /** An HTTP status instead of an answer, with a wait in seconds. */
  readonly refuse?: { readonly status: number; readonly retryAfterSeconds: number }
}

/** An OpenAI-compatible service on loopback that keeps a book of what it was asked, and bills honestly. */
export interface ServiceServer {
  readonly baseUrl: string
  readonly book: readonly Asked[]
  /** Requests that had been asked before. */
  askedAgain(): number
  /** Requests of a worker that have no answer yet, or had one moments ago that the worker may not have stored. */
  inFlight(worker: string): number
  close(): Promise<void>
}

/** An answer that went out so lately may not be in the store yet, in milliseconds. */
const storingMs = 1_500

/** US dollars a token, prompt and answer alike: what the configs of the fleet state. */
export const usdPerToken = 1e-6

/**
 * Starts a service. Tokens are a quarter of the characters of the prompt, and as many as the request allows in the answer where
 * `isGreedy`: never more than what evalkit sets aside.
 */
export async function startService(
  serve: (asked: Asked) => Served,
  { isGreedy = false }: { readonly isGreedy?: boolean } = {},
): Promise<ServiceServer> {
  const book: Asked[] = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => (body += chunk))
    response.on("error", () => {})
    request.on("end", () => {
      if (request.method === "GET") return void response.end("{}")
      const { messages, model, max_tokens, max_completion_tokens } = JSON.parse(body) as {
        messages: { role: string; content: string | null }[]
        model: string
        max_tokens?: number
        max_completion_tokens?: number
      }
      const asked: Asked = {
        model,
        text: messages.map(({ content }) => content).join("\n"),
        rounds: messages.filter(({ role }) => role === "assistant").length,
        worker: String(request.headers["x-worker"]),
        atMs: Date.now(),
        answeredMs: null,
        maxTokens: max_completion_tokens ?? max_tokens ?? 0,
        usd: 0,
      }
      book.push(asked)
      const { text, toolCalls, delayMs = 0, after, refuse } = serve(asked)
      if (refuse) {
        asked.answeredMs = Date.now()
        response.writeHead(refuse.status, { "retry-after": String(refuse.retryAfterSeconds) })
        return void response.end('{"error": {"message": "slow down"}}')
      }
      const prompt = Math.floor(asked.text.length / 4)
      const completion = isGreedy ? asked.maxTokens : Math.ceil(text.length / 4)
      // Billed when it is taken up, whoever is still there to read the answer.
      asked.usd = (prompt + completion) * usdPerToken
      const delay = new Promise((resolve) => setTimeout(resolve, delayMs))
      void Promise.all([delay, after]).then(() => {
        asked.answeredMs = Date.now()
        response.setHeader("content-type", "text/event-stream")
        const event = (fields: object) => response.write(`data: ${JSON.stringify({ id: "1", model, ...fields })}\n\n`)
        const calls = toolCalls?.map((entry, i) => {
          const call = { name: entry.name, arguments: JSON.stringify(entry.arguments) }
          return { index: i, id: `${asked.rounds}${i}`, type: "function", function: call }
        })
        const delta = calls ? { tool_calls: calls } : { content: text }
        event({ choices: [{ index: 0, delta: { role: "assistant", ...delta } }] })
        event({ choices: [{ index: 0, delta: {}, finish_reason: calls ? "tool_calls" : "stop" }] })
        event({
          choices: [],
          usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
        })
        response.end("data: [DONE]\n\n")
      })
    })
  })
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    book,
    askedAgain: () => book.length - new Set(book.map(({ model, text }) => `${model} ${text}`)).size,
    inFlight: (worker) =>
      book.filter((own) => own.worker === worker && (own.answeredMs ?? Date.now()) > Date.now() - storingMs).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
