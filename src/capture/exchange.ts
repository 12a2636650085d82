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
  /** How long the event loop that stamped stood still meanwhile; absent: it did not. */
  readonly stalledMs?: number
}
