import type { Connections } from "../../capture/connections.ts"
import { type ChatTransport, type Endpoint, requestHeaders } from "./transport.ts"

/** Stamps and keeps bytes while the request runs, and nothing else: for performance runs. */
export function createUndiciTransport(endpoint: Endpoint, connections: Connections, resource: string): ChatTransport {
  const headers = requestHeaders(endpoint)
  const path = endpoint.path(resource)
  return (body, options) => connections.capture({ method: "POST", path, headers, body: JSON.stringify(body) }, options)
}
