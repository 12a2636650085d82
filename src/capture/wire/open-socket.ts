import { connect as connectTcp, isIP, type Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { lookupOf } from "../../platform/local-name.ts"
import type { HttpProxy } from "../../platform/proxy.ts"
import { shorterHandshake } from "../exchange.ts"
import type { Origin } from "./request-head.ts"
import type { Closable, openTunnel } from "./tunnel.ts"
import { otherSideClosed } from "./wire-error.ts"

/** What the sockets of an origin share. */
export interface SocketMaker {
  readonly origin: Origin
  /** Null: plain sockets. */
  readonly connectTls: typeof import("node:tls").connect | null
  /** Null: no proxy, or one that is sent the requests themselves. */
  readonly openTunnel: typeof openTunnel | null
  /** The last session of the server, for the next connection. */
  session: Buffer | undefined
  /** See {@link wasClosing}. */
  handshakeMs: number | null
}

/** Who uses a socket. */
export interface SocketUser {
  /** What is offered by ALPN. */
  readonly protocols: readonly string[]
  /** Takes what comes, whose memory is used again; false: it wants no more. Absent: the socket's events are for its user. */
  read?(bytes: Buffer, length: number): boolean
  /** The connection stands, with TLS. Its events are the user's from here on. */
  onConnected(socket: Socket): void
  fails(error: Error): void
}

/** All sockets of the thread read into the same memory: what comes is copied at once. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/** Opens a connection, over the proxy where there is one. */
export function openSocket(maker: SocketMaker, connectionUser: SocketUser): Closable {
  const { origin, connectTls } = maker
  const startMs = performance.now()
  const user: SocketUser = {
    ...connectionUser,
    onConnected(socket) {
      maker.handshakeMs = shorterHandshake(maker.handshakeMs, performance.now() - startMs)
      connectionUser.onConnected(socket)
    },
  }
  const proxy = origin.proxy
  if (maker.openTunnel === null || proxy === null) return openFirstHop(maker, user, proxy)
  let opening: Closable = maker.openTunnel(
    proxy,
    origin,
    (socket) => {
      if (connectTls && origin.isTls) opening = openTls(maker, user, origin.host, { socket })
      else stand(socket, user, false)
    },
    user.fails,
  )
  return { destroy: () => opening.destroy() }
}

function openFirstHop(maker: SocketMaker, user: SocketUser, proxy: HttpProxy | null): Closable {
  const { host, port, isTls } = proxy ?? maker.origin
  const common = { host, port, ...lookupOf(host), noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }
  if (isTls) return openTls(maker, user, host, common)
  const { read } = user
  const onread = read && { buffer: readBuffer, callback: (length: number) => read(readBuffer, length) }
  const socket = connectTcp({ ...common, ...(onread && { onread }) })
  return whenUp(socket, "connect", user, () => stand(socket, user, onread !== undefined))
}

function openTls(maker: SocketMaker, user: SocketUser, host: string, over: object): Closable {
  const { connectTls, session } = maker
  if (connectTls === null) throw new Error("TLS is not loaded")
  const socket: TLSSocket = connectTls({
    ...over,
    ...(isIP(host) === 0 && { servername: host }),
    ...(session && { session }),
    ALPNProtocols: [...user.protocols],
  })
  socket.on("session", (next) => {
    maker.session = next
  })
  return whenUp(socket, "secureConnect", user, () => stand(socket, user, false))
}

/** Until it stands, its end is a failure. */
function whenUp(socket: Socket, event: "connect" | "secureConnect", user: SocketUser, up: () => void): Socket {
  const closed = () => user.fails(otherSideClosed())
  socket.on("error", user.fails).on("close", closed)
  return socket.once(event, () => {
    socket.off("error", user.fails).off("close", closed)
    up()
  })
}

function stand(socket: Socket, user: SocketUser, isRead: boolean): void {
  const { read } = user
  if (read && !isRead) socket.on("data", (bytes: Buffer) => read(bytes, bytes.length))
  user.onConnected(socket)
}
