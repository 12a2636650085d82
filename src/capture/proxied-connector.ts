import { isIP } from "node:net"
import type { buildConnector } from "undici"
import type { Origin } from "./wire/request-head.ts"
import type { Closable } from "./wire/tunnel.ts"

/** How undici opens connections to an endpoint. */
export interface Connector {
  readonly connect: buildConnector.connector
  /** Gives up what a proxy has not opened yet: undici does not know of it. */
  close(): void
}

/** @param connect opens a connection to the host itself */
export async function createConnector(origin: Origin, connect: buildConnector.connector): Promise<Connector> {
  const { proxy, isTunnelled } = origin
  const opening = new Set<Closable>()
  const close = (): void => {
    for (const tunnel of opening) tunnel.destroy()
  }
  if (proxy === null) return { connect, close }
  const servername = isIP(proxy.host) === 0 ? proxy.host : ""
  if (!isTunnelled) return { connect: (options, callback) => connect({ ...options, servername }, callback), close }
  const { openTunnel } = await import("./wire/tunnel.ts")
  return {
    connect(options, callback) {
      const tunnel = openTunnel(
        proxy,
        origin,
        (httpSocket) => {
          opening.delete(tunnel)
          connect({ ...options, httpSocket }, callback)
        },
        (error) => {
          opening.delete(tunnel)
          callback(error, null)
        },
      )
      opening.add(tunnel)
    },
    close,
  }
}
