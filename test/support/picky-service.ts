import { serveLoopback } from "./loopback.ts"

/** A request as it arrived. */
export interface SeenRequest {
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string | null
}

/** What a request is refused with. */
export interface Refused {
  readonly status: number
  readonly message: string
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How a service behaves; each option sees the request. */
export interface PickyOptions {
  refuse?(request: SeenRequest): Refused | null
  /** The text of an answer. Default: the last word of the prompt. */
  answer?(request: SeenRequest): string
  /** More members of the message: `tool_calls`. */
  message?(request: SeenRequest): Readonly<Record<string, unknown>>
  /** Default: 10 tokens in, 2 out. */
  usage?(request: SeenRequest): Readonly<Record<string, unknown>>
  /** More headers of every response. */
  headers?(request: SeenRequest): Readonly<Record<string, string>>
  /** Gives log-probabilities where they are asked for. Default: false. */
  readonly logprobs?: boolean
  readonly delayMs?: number
  /** Milliseconds before a refusal. */
  readonly refusedDelayMs?: number
}

/** A service on this machine that speaks chat completions, embeddings and moderation, and refuses what it is told to. */
export interface PickyService {
  readonly url: string
  /** Every POST, in order. */
  readonly seen: readonly SeenRequest[]
  close(): Promise<void>
}

/** Starts a {@link PickyService} on the loopback interface. */
export async function startPickyService(options: PickyOptions = {}): Promise<PickyService> {
  const seen: SeenRequest[] = []
  const server = await serveLoopback(async (incoming, response, posted) => {
    const key = incoming.headers.authorization?.replace("Bearer ", "") ?? null
    const body = incoming.method === "POST" ? JSON.parse(posted) : {}
    const request: SeenRequest = { model: String(body.model ?? ""), body, key }
    const extra = options.headers?.(request) ?? {}
    const send = (status: number, value: unknown, more: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...extra, ...more }).end(JSON.stringify(value))
    if (incoming.method !== "POST") return send(200, { object: "list", data: [] })
    seen.push(request)
    const refused = options.refuse?.(request)
    if (refused) {
      if (options.refusedDelayMs) await new Promise((resolve) => setTimeout(resolve, options.refusedDelayMs))
      const { status, message, code = null, headers } = refused
      return send(status, { error: { message, code, type: "invalid_request_error", param: null } }, headers)
    }
    if (incoming.url?.endsWith("/embeddings"))
      return send(200, {
        data: [body.input].flat().map((_, index) => ({ index, embedding: [1, 0] })),
        usage: { prompt_tokens: 1, total_tokens: 1 },
      })
    if (incoming.url?.endsWith("/moderations"))
      return send(200, {
        results: [body.input].flat().map(() => ({ flagged: false, categories: {}, category_scores: {} })),
      })
    if (options.delayMs) await new Promise((resolve) => setTimeout(resolve, options.delayMs))
    const prompt = (body.messages ?? []).map((message: { content: string }) => message.content).join("\n")
    const text = options.answer?.(request) ?? prompt.trim().split(/\s+/).at(-1) ?? ""
    const logprobs =
      options.logprobs && body.logprobs ? { content: [{ token: text, logprob: -0.1, top_logprobs: [] }] } : null
    const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
    response.writeHead(200, { "content-type": "text/event-stream", ...extra })
    const choice = { index: 0, delta: { role: "assistant", content: text, ...options.message?.(request) }, logprobs }
    response.write(event({ model: body.model, choices: [choice] }))
    response.write(event({ model: body.model, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }))
    const usage = options.usage?.(request) ?? { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
    response.end(`${event({ model: body.model, choices: [], usage })}data: [DONE]\n\n`)
  })
  return { url: server.url, seen, close: server.close }
}
