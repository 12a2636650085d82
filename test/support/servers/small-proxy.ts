import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request as requestHttp,
  type Server,
} from "node:http"
import { createServer as createTlsServer } from "node:https"
import { connect, type Socket } from "node:net"
import type { TestCertificate } from "../chaos/certificates.ts"

/** A forward proxy on loopback. It resolves every name to 127.0.0.1. */
export interface SmallProxy {
  readonly address: string
  /** What it was asked: `CONNECT host:port`, `POST http://host/path`. */
  readonly requests: string[]
  /** The credentials of each request, as they came. */
  readonly credentials: (string | undefined)[]
  close(): Promise<void>
}

/**
 * @param credentials `name:password` without which it answers 407
 * @param tls of a proxy that is itself asked over TLS
 */
export async function startProxy(
  credentials: string | null = null,
  tls: TestCertificate | null = null,
): Promise<SmallProxy> {
  const requests: string[] = []
  const headers: (string | undefined)[] = []
  const sockets = new Set<Socket>()
  const isAllowed = (request: IncomingMessage): boolean => {
    requests.push(`${request.method} ${request.url}`)
    headers.push(request.headers["proxy-authorization"])
    return credentials === null || headers.at(-1) === `Basic ${Buffer.from(credentials).toString("base64")}`
  }
  const forward: RequestListener = (request, response) => {
    const url = new URL(request.url ?? "")
    if (!isAllowed(request)) return void response.writeHead(407).end(`no: ${headers.at(-1)}`)
    const path = `${url.pathname}${url.search}`
    const options = { host: "127.0.0.1", port: url.port, path, method: request.method, headers: request.headers }
    const onward = requestHttp(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.writeHead(502).end())
    request.pipe(onward)
  }
  const server: Server = tls ? createTlsServer(tls, forward) : createServer(forward)
  server.on("connect", (request, socket: Socket) => {
    socket.on("error", () => {})
    if (!isAllowed(request)) return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
    const onward = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      socket.pipe(onward).pipe(socket)
    })
    sockets.add(onward)
    onward.on("error", () => socket.destroy())
  })
  server.on("connection", (socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    address: `127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    requests,
    credentials: headers,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
