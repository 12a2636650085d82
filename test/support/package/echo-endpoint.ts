import { serveLoopback } from "../loopback.ts"

/** A chat endpoint on the loopback interface that answers with the question. */
export interface EchoEndpoint {
  /** With `/v1` at its end. */
  readonly baseUrl: string
  /** When the first question came, by `Date.now()`. */
  firstAskedAt(): number | null
  close(): Promise<void>
}

/** Starts an {@link EchoEndpoint}; it streams, and counts three tokens of question and two of answer. */
export async function startEchoEndpoint(): Promise<EchoEndpoint> {
  let firstAskedAt: number | null = null
  const server = await serveLoopback((request, response, body) => {
    if (request.method === "GET") return response.end('{"object":"list","data":[{"id":"echo"}]}')
    firstAskedAt ??= Date.now()
    const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string }
    response.setHeader("content-type", "text/event-stream")
    const event = (fields: object) =>
      response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model, ...fields })}\n\n`)
    event({
      choices: [{ index: 0, delta: { role: "assistant", content: messages.at(-1)?.content }, finish_reason: null }],
    })
    event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
    event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })
    response.end("data: [DONE]\n\n")
  })
  return {
    baseUrl: server.url,
    firstAskedAt: () => firstAskedAt,
    close: server.close,
  }
}
