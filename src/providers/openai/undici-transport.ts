import type { Connections } from "../../capture/connections.ts"
import { type ChatTransport, type Endpoint, requestHeaders } from "./transport.ts"

/** Stamps and keeps bytes while the request runs, and nothing else: for performance runs. */
export function createUndiciTransport(endpoint: Endpoint, connections: Connections): ChatTransport {
  const headers = requestHeaders(endpoint)
  const path = endpoint.path("/chat/completions")
  return (body, options) => connections.capture({ method: "POST", path, headers, body: JSON.stringify(body) }, options)
}
