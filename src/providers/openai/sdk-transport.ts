import type { Connections } from "../../capture/connections.ts"
import type { Exchange } from "../../capture/exchange.ts"
import type { OpenaiInterface } from "./interfaces.ts"
import { createResponseTap, emptyStream } from "./response-tap.ts"
import type { ChatTransport, Endpoint } from "./transport.ts"

/** What the package hands on to the fetch with everything else. */
const tapped = Symbol("the fetch of this request")

interface Tapped {
  readonly [tapped]: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
}

/** Evalkit's own limits end a request: the longest that a timer takes, in milliseconds. */
const maxTimeoutMs = 2 ** 31 - 1

/**
 * The `openai` package as users' code calls it, retries off, over a fetch of ours: the package makes the request, bytes are stamped and kept
 * before it sees them. What it makes of an answer is dropped, because answers are read from the recorded bytes on both transports.
 *
 * @param isRead whether the package reads the stream as it comes, in this thread; false: connections that keep the bytes to themselves, as
 *   capture threads do. It gets an empty stream then, once the answer has ended
 */
export async function createSdkTransport(
  endpoint: Endpoint,
  connections: Connections,
  api: Pick<OpenaiInterface, "resource" | "ask">,
  isRead: boolean,
): Promise<ChatTransport> {
  const { OpenAI } = await import("openai")
  // One client for all requests, whose fetch is told which of them it is for: a client for each is a fortieth of their CPU time.
  const client = new OpenAI({
    fetch: (input, init) => (init as unknown as Tapped)[tapped](input, init),
    timeout: maxTimeoutMs,
    apiKey: endpoint.apiKey ?? "none",
    organization: null,
    project: null,
    baseURL: endpoint.origin,
    maxRetries: 0,
    logLevel: "off",
    defaultHeaders: { ...(endpoint.apiKey === null ? { authorization: null } : {}), ...endpoint.headers },
  })

  const path = endpoint.path(api.resource)

  return async (body, options) => {
    let exchange: Promise<Exchange> | undefined
    const tappedFetch: Tapped[typeof tapped] = (_input, init) => {
      const request = {
        method: "POST",
        path,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === "string" ? init.body : null,
      } as const
      if (!isRead) {
        exchange = connections.capture(request, options)
        return exchange.then(emptyStream)
      }
      const { tap, response } = createResponseTap()
      exchange = connections.capture(request, { ...options, tap })
      return response
    }

    const failure = await readToEnd()
    if (!exchange) throw failure
    return exchange

    async function readToEnd(): Promise<unknown> {
      try {
        const fetchOptions: object = { [tapped]: tappedFetch } satisfies Tapped
        const stream = await api.ask(client, body, { fetchOptions })
        for await (const _chunk of stream);
        return null
      } catch (error) {
        return error
      }
    }
  }
}
