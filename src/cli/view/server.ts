import { randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { EvalkitError, messageOf } from "../../core/errors.ts"

/** What answers a request: writes to the response, or throws. The path comes without the token, as segments. */
export type ViewRoute = (path: readonly string[], query: URLSearchParams, response: ServerResponse) => Promise<void>

/** A running server of `evalkit view`. */
export interface ViewServer {
  /** With the token: whoever knows it may look. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a server on the loopback interface. Every path begins with a random token; the Host header must be the loopback
 * address with this port (against DNS rebinding), an Origin header, if any, the server's own; only GET and HEAD. A wrong
 * token, host or origin gets 403 and learns nothing else.
 */
export async function startViewServer(route: ViewRoute, port = 0): Promise<ViewServer> {
  const token = randomBytes(18).toString("base64url")
  const server = createServer((request, response) => void answer(server, token, route, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${actual}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  server: Server,
  token: string,
  route: ViewRoute,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
  try {
    if (request.method !== "GET" && request.method !== "HEAD") return end(response, 405, "only GET")
    const { port } = server.address() as AddressInfo
    if (!isOwn(request, port)) return end(response, 403, "forbidden")
    const url = new URL(request.url ?? "/", `http://127.0.0.1:${port}`)
    const [given = "", ...path] = url.pathname.split("/").slice(1).map(decodeSegment)
    if (!isEqual(given, token)) return end(response, 403, "forbidden")
    if (path.length === 0) {
      response.setHeader("location", `/${token}/`)
      return end(response, 308, "")
    }
    await route(path, url.searchParams, response)
  } catch (error) {
    if (response.headersSent) response.destroy()
    else end(response, error instanceof EvalkitError ? 404 : 500, messageOf(error))
  }
}

const safeHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
}

function isOwn({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!hosts.includes(headers.host ?? "")) return false
  return headers.origin === undefined || hosts.some((host) => headers.origin === `http://${host}`)
}

function isEqual(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" })
  response.end(`${text}\n`)
}
