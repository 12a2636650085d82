import type { CaptureOptions } from "../../capture/connections.ts"
import type { Exchange } from "../../capture/exchange.ts"
import type { JsonObject } from "../../core/json.ts"

/** Sends one streamed request and records what comes back. Rejects only for a fault of evalkit. */
export type ChatTransport = (body: JsonObject, options: Omit<CaptureOptions, "tap">) => Promise<Exchange>

/** Where a transport sends to. */
export interface Endpoint {
  /** `scheme://host:port` */
  readonly origin: string
  /** Path and query of a resource below the base URL, such as `/chat/completions`. */
  path(resource: string): string
  readonly apiKey: string | null
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Takes a base URL apart; a query in it (`?api-version=…`) is kept behind the resource. That of an interface itself is taken for the base that it stands
 * under. Throws on what is no URL.
 */
export function createEndpoint(
  baseUrl: string,
  apiKey: string | null,
  headers: Readonly<Record<string, string>>,
): Endpoint {
  const url = new URL(baseUrl)
  const prefix = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/+$/, "")
    .replace(/(?:(?:\/chat)?\/completions|\/responses)$/, "")
  return { origin: url.origin, path: (resource) => `${prefix}${resource}${url.search}`, apiKey, headers }
}

/** Headers of a request that the SDK does not make. */
export function requestHeaders(endpoint: Endpoint): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "user-agent": "evalkit",
    ...(endpoint.apiKey === null ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
    ...endpoint.headers,
  }
}
