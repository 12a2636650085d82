/** What arrived: only `content`, `reasoning` and `tool` events carry text of the answer. @experimental */
export type StreamEventKind = "role" | "reasoning" | "content" | "tool" | "usage" | "error" | "done"

/** One event of a streamed answer. @experimental */
export interface StreamEvent {
  /** Arrival in milliseconds on the log's clock: the stamp of the data callback that completed the event. */
  readonly atMs: number
  readonly kind: StreamEventKind
  /** Tokens that the event carried; null until they are counted, or when they are unknown. */
  readonly tokens: number | null
  /** Bytes of text that the event carried (UTF-8); 0 for an empty delta. */
  readonly bytes: number
}

/** A named part of the work on one answer: `retrieve`, `rerank`, `generate`. @public */
export interface Stage {
  readonly name: string
  /** On the log's clock, in milliseconds. */
  readonly startMs: number
  readonly endMs: number
}

/**
 * The raw log of one request. Every performance figure is derived from it; nothing is aggregated while it is captured.
 * All stamps are monotonic milliseconds since the start of the process's segment of the run.
 * @experimental
 */
export interface RequestLog {
  /** When the load plan wanted the request to start (open loop), or its slot became free (closed loop). */
  readonly scheduledMs: number
  /** When the request line and body were handed to the socket. */
  readonly sendMs: number
  /** How long DNS + TCP + TLS took; null when a warm connection was used or the transport cannot say. */
  readonly connectMs: number | null
  /** When the response headers arrived; null when none did. */
  readonly headersMs: number | null
  readonly events: readonly StreamEvent[]
  /** Last byte, or the moment of the failure. */
  readonly endMs: number
  /**
   * How long the client itself stood still meanwhile: stamps are late by up to this, so its latencies count in no figure. Absent
   * where it did not.
   */
  readonly stalledMs?: number
  /** How long it waited beforehand for the account's own rate limits (pauses after a 429, limits of the config). Absent where it did not. */
  readonly rateLimitWaitMs?: number
  /** How long it was held back beforehand because the endpoint had failed many times in a row. Absent where it was not. */
  readonly outageWaitMs?: number
  /** Set where only the end of the answer is timed (by somebody else, or because it came in one piece): when its first token was there is not known. */
  readonly endOnly?: true
  /** What an application of the user's own says it spent its time on, in the order in which the stages ended. Absent for models. */
  readonly stages?: readonly Stage[]
}
