/** What a service allows of one thing, as the headers of an answer state it. @public */
export interface StatedLimit {
  /** Taken as what is allowed in a minute. Groq counts requests over a day: so large a limit slows nothing. */
  readonly limit: number
  /** What is left of it; null where it is not stated. */
  readonly remaining: number | null
  /** Milliseconds until it is whole again; null where it is not stated. */
  readonly resetMs: number | null
}

/** What a service allows a key, as the headers of an answer state it. @public */
export interface StatedLimits {
  readonly requests?: StatedLimit
  readonly tokens?: StatedLimit
}
