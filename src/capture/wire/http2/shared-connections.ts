import type { Socket } from "node:net"
import { connectionLost } from "../../exchange.ts"
import type { ConnectionOwner } from "../wire-connection.ts"
import type { WireJob } from "../wire-job.ts"
import { notSpoken } from "./http2-error.ts"
import { SharedConnection, type SharedOwner } from "./shared-connection.ts"

/** HTTP/2 connections to one origin, as many as the requests at once need. */
export interface SharedConnections {
  /** Takes a request; false: the server is asked over HTTP/1.1. */
  take(job: WireJob): boolean
  /** Opens connections beforehand; false: the server is asked over HTTP/1.1. */
  open(requests: number, withinMs: number): Promise<boolean>
  /** Closes what was not used for long. */
  prune(atMs: number): void
  close(): void
}

/** What a connection whose server chose HTTP/1.1 is for. */
export interface OlderConnections {
  /** @param job is sent on it; null: none yet */
  adopt(socket: Socket, job: WireJob | null): void
  /** Sends requests that wait for a connection. */
  place(waiting: readonly WireJob[]): void
}

/**
 * Opens no connection yet. The first one asks by ALPN what the server speaks, and requests wait for that; a server that has chosen HTTP/1.1 is
 * asked over it from there on.
 *
 * @param mustBeHttp2 requests end where the server does not speak it; without TLS it is spoken unasked (RFC 9113, section 3.3)
 */
export async function createSharedConnections(
  wire: ConnectionOwner,
  older: OlderConnections,
  mustBeHttp2: boolean,
): Promise<SharedConnections> {
  const all = new Set<SharedConnection>()
  const opening = new Map<SharedConnection, () => void>()
  let isOlder = false

  const owner: SharedOwner = {
    wire,
    connectHttp2: (await import("node:http2")).connect,
    mustBeHttp2,
    onHttp1Fallback(_, socket, waiting) {
      if (mustBeHttp2) {
        socket.destroy()
        for (const job of waiting) wire.ended(job, connectionLost(notSpoken()))
        return
      }
      isOlder = true
      const [first = null, ...others] = waiting
      older.adopt(socket, first)
      older.place(others)
    },
    onRequeue: (waiting) => older.place(waiting),
    onConnectFailed(waiting) {
      for (const job of waiting) add().send(job)
    },
    http11Required() {
      isOlder = !mustBeHttp2
    },
    onStateChange(connection) {
      opening.get(connection)?.()
      opening.delete(connection)
    },
    closed: (connection) => void all.delete(connection),
  }

  function add(): SharedConnection {
    const connection = new SharedConnection(owner)
    all.add(connection)
    return connection
  }
  /** One that stands goes before one that is being opened, and among them the one with the fewest requests. */
  function roomiest(): SharedConnection | null {
    let best: SharedConnection | null = null
    for (const sharedConnection of all) {
      if (sharedConnection.room <= 0) continue
      const isBetter =
        best === null ||
        (sharedConnection.isReady === best.isReady ? sharedConnection.room > best.room : sharedConnection.isReady)
      if (isBetter) best = sharedConnection
    }
    return best
  }
  function prune(atMs: number): void {
    for (const sharedConnection of [...all]) if (sharedConnection.isStale(atMs)) sharedConnection.destroy()
  }
  function stands(connection: SharedConnection): Promise<void> {
    if (connection.isReady) return Promise.resolve()
    return new Promise((resolve) => opening.set(connection, resolve))
  }
  return {
    take(job) {
      if (isOlder) return false
      let candidate = roomiest()
      if (candidate?.isStale(wire.now())) {
        prune(wire.now())
        candidate = roomiest()
      }
      const connection = candidate ?? add()
      connection.send(job)
      return true
    },
    async open(requests, withinMs) {
      if (isOlder) return false
      const late = setTimeout(() => {
        for (const connection of [...opening.keys()]) connection.destroy()
      }, withinMs)
      const first = roomiest() ?? add()
      await stands(first)
      let room = [...all].reduce((sum, { room }) => sum + room, 0)
      const more: Promise<void>[] = []
      for (const each = first.room; !isOlder && each > 0 && room < requests; room += each) more.push(stands(add()))
      await Promise.all(more)
      clearTimeout(late)
      return !isOlder
    },
    prune,
    close() {
      for (const connection of [...all]) connection.destroy()
    },
  }
}
