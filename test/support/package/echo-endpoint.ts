import { serveLoopback, streamChat } from "../loopback.ts"

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
    streamChat(response, messages.at(-1)?.content ?? "", 3, 2, model)
  })
  return {
    baseUrl: server.url,
    firstAskedAt: () => firstAskedAt,
    close: server.close,
  }
}
