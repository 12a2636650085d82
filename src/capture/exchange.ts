import { messageOf } from "../core/errors.ts"
import type { Outcome } from "../core/outcome.ts"

/** What ended an exchange before its last byte. */
export interface Interruption {
  readonly outcome: Extract<Outcome, `timeout_${string}` | "connection" | "cancelled" | "malformed">
  readonly message: string
  readonly code?: string
}

/** An exchange that ended with its connection before a byte came back. */
export interface LostExchange {
  readonly sendMs: number
  readonly endMs: number
  readonly message: string
}

/**
 * One HTTP exchange as it was captured: stamps and bytes, nothing interpreted. Stamps are the clock's own milliseconds.
 * `chunks[i]` arrived at `stampsMs[i]`.
 */
export interface Exchange {
  readonly sendMs: number
  /** How long DNS + TCP + TLS took; null on a warm connection. */
  readonly connectMs: number | null
  readonly headersMs: number | null
  readonly endMs: number
  readonly status: number | null
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>
  readonly chunks: readonly Uint8Array[]
  readonly stampsMs: readonly number[]
  /** Null when the response was received to its end. */
  readonly interruption: Interruption | null
  /** Exchanges before it on connections that the server was just closing, after each of which it was sent again; absent: none. */
  readonly lost?: readonly LostExchange[]
  /** Absent: HTTP/1.1. */
  readonly protocol?: "h2"
  /** How long the event loop that stamped stood still meanwhile; absent: it did not. */
  readonly stalledMs?: number
}

/** The answer grew beyond what is kept. */
export function tooLarge(limit: number): Interruption {
  return {
    outcome: "malformed",
    message: `the answer is larger than ${limit} bytes and was cut off`,
    code: "too_large",
  }
}

/** The connection failed. An `AggregateError` of several addresses has an empty message of its own: the first address's is used. */
export function connectionLost(error: Error): Interruption {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code: unknown = "code" in error ? error.code : undefined
  const name = typeof code === "string" ? code : undefined
  return {
    outcome: "connection",
    message: messageOf(first) || name || error.name,
    ...(name !== undefined && { code: name }),
  }
}

/** A server's word that a connection is closed is under way for a round trip; so much more passes until it is sent and read. */
const closingMs = 50
/** What is lost later was worked on, however far the endpoint is. */
const maxClosingMs = 1000

/** What tells whether a connection was closing. */
export interface Losable {
  readonly sent: boolean
  readonly connectMs: number | null
  readonly status: number | null
}

/**
 * Whether the server had closed a kept-alive connection while the request was on its way to it: nothing came back, at once.
 * Such a request was hardly read, and may be sent again (RFC 9112, section 9.3.1). What is lost later was worked on: a failure.
 *
 * @param lostMs how long after sending the connection was lost; null: it was not
 * @param handshakeMs the shortest time in which a connection to the endpoint was made, of one to a few round trips; null: none was seen
 */
export function wasClosing(
  { sent, connectMs, status }: Losable,
  lostMs: number | null,
  handshakeMs: number | null,
): boolean {
  if (lostMs === null || !sent || connectMs !== null || status !== null) return false
  return lostMs < Math.min(maxClosingMs, closingMs + 2 * (handshakeMs ?? 0))
}

/** @param handshakeMs the shortest until now; null: none was seen */
export function shorterHandshake(handshakeMs: number | null, connectMs: number): number {
  return Math.min(handshakeMs ?? connectMs, connectMs)
}

/** Each one ends a connection that is closing, so that the next try finds another or makes a new one. */
export const maxResends = 3
