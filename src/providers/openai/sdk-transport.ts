import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions"
import type { Connections } from "../../capture/connections.ts"
import type { Exchange } from "../../capture/exchange.ts"
import { createResponseTap } from "./response-tap.ts"
import type { ChatTransport, Endpoint } from "./transport.ts"

/**
 * The `openai` package as users' code calls it, retries off, over a fetch of ours: bytes are stamped and kept before the
 * package sees them. The package reads the stream to its end; what it makes of it is dropped, because the answer is
 * read from the recorded bytes on both transports.
 */
export async function createSdkTransport(endpoint: Endpoint, connections: Connections): Promise<ChatTransport> {
  const { OpenAI } = await import("openai")
  const client = new OpenAI({
    apiKey: endpoint.apiKey ?? "none",
    organization: null,
    project: null,
    baseURL: endpoint.origin,
    maxRetries: 0,
    logLevel: "off",
    defaultHeaders: { ...(endpoint.apiKey === null ? { authorization: null } : {}), ...endpoint.headers },
  })

  const path = endpoint.path("/chat/completions")

  return async (body, options) => {
    let exchange: Promise<Exchange> | undefined
    const tappedFetch = (_input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const { tap, response } = createResponseTap()
      exchange = connections.capture(
        {
          method: "POST",
          path,
          headers: Object.fromEntries(new Headers(init?.headers)),
          body: typeof init?.body === "string" ? init.body : null,
        },
        { ...options, tap },
      )
      return response
    }

    const failure = await readToEnd()
    if (!exchange) throw failure
    return exchange

    async function readToEnd(): Promise<unknown> {
      try {
        const request = body as unknown as ChatCompletionCreateParamsStreaming
        const stream = await client
          .withOptions({ fetch: tappedFetch, timeout: 2 ** 31 - 1 })
          .chat.completions.create(request)
        for await (const _chunk of stream);
        return null
      } catch (error) {
        return error
      }
    }
  }
}
