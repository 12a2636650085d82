import * as http from "node:http"
import * as https from "node:https"
import { isIP, type Socket } from "node:net"
import type { HttpProxy } from "../../platform/proxy.ts"
import { WireError } from "./wire-error.ts"

/** What opens, or is open. */
export interface Closable {
  destroy(): void
}

/**
 * Opens a connection to a host over a proxy, by its method CONNECT (RFC 9110, section 9.3.6).
 *
 * @param onConnected gets the socket, on which nothing was said yet
 * @param fails hears why there is none
 */
export function openTunnel(
  proxy: HttpProxy,
  { host, port }: { readonly host: string; readonly port: number },
  onConnected: (socket: Socket) => void,
  fails: (error: Error) => void,
): Closable {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const request = (proxy.isTls ? https : http).request({
    host: proxy.host,
    port: proxy.port,
    servername: isIP(proxy.host) === 0 ? proxy.host : "",
    method: "CONNECT",
    path: target,
    agent: false,
    headers: { host: target, ...(proxy.authorization && { "proxy-authorization": proxy.authorization }) },
  })
  request.on("connect", ({ statusCode = 0, statusMessage }, socket: Socket, first: Buffer) => {
    if (statusCode >= 200 && statusCode < 300) {
      if (first.length > 0) socket.unshift(first)
      onConnected(socket.setNoDelay(true).setKeepAlive(true, 60_000))
      return
    }
    socket.destroy()
    const answer = `HTTP ${statusCode} ${statusMessage ?? ""}`.trim()
    fails(new WireError(`the proxy ${proxy.shown} opens no connection to ${target}: ${answer}`, "UND_ERR_ABORTED"))
  })
  request.on("error", fails)
  request.end()
  return request
}
