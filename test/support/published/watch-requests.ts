import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { IncomingMessage } from "node:http"
import { messageOf } from "../../../src/core/errors.ts"
import { type BodyKind, faultOfBody } from "./fault-of-body.ts"
import { sentBodies } from "./sent-bodies.ts"

/** A body that a server of this process got. */
interface WatchedBody {
  /** Null: no body could be read. */
  readonly kind: BodyKind | null
  /** By its published type; null: nothing. */
  readonly fault: string | null
}

const bodies: WatchedBody[] = []
const channel = "http.server.request.start"

/**
 * Holds every request that evalkit sends to a server of HTTP in this process, whichever thread or process it comes from, against the type that
 * its service's maker publishes. What a test sends itself, by the `fetch` of Node or without saying who asks, is the test's own.
 *
 * @returns ends it
 */
export function watchRequests(): () => void {
  const watch = (message: unknown) => watchRequest((message as { request: IncomingMessage }).request)
  subscribe(channel, watch)
  return () => {
    unsubscribe(channel, watch)
  }
}

/** What came since the last call. */
export function takeBodies(): readonly WatchedBody[] {
  return bodies.splice(0)
}

/** The faults of what came since the last call, each once. */
export function takeFaults(): readonly string[] {
  return [...new Set(takeBodies().flatMap(({ fault }) => fault ?? []))]
}

function watchRequest(request: IncomingMessage): void {
  const { "user-agent": client } = request.headers
  if (request.method !== "POST" || client === undefined || client === "node") return
  const path = request.url ?? "/"
  const parts: Buffer[] = []
  const push = request.push.bind(request)
  // The body as it comes, beside who reads it: a listener of its own would set the stream going.
  request.push = (part: Buffer | null, encoding?: BufferEncoding) => {
    if (part !== null) parts.push(part)
    else if (request.complete) bodies.push(...watchedBodies(path, Buffer.concat(parts).toString("utf8")))
    return push(part, encoding)
  }
}

function watchedBodies(path: string, text: string): readonly WatchedBody[] {
  try {
    return sentBodies(path, text).map(([kind, body]) => ({ kind, fault: faultOfBody(kind, body) }))
  } catch (error) {
    return [{ kind: null, fault: `${path}: ${messageOf(error)}` }]
  }
}
