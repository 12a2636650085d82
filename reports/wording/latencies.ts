/** What a latency of an answer is called. */
export interface LatencyName {
  readonly name: string
  /** What it means to a reader who has never heard of it. */
  readonly explanation: string
}

/** Every latency that a report shows, in milliseconds, by its name in the report. */
export const latencies = {
  ttftMs: { name: "time to first token", explanation: "how long until something appears" },
  e2eMs: { name: "end to end", explanation: "until the last token" },
  ttftAnyMs: { name: "time to first token of any kind", explanation: "thinking counts" },
  attemptTtftMs: { name: "time to first token of the successful attempt", explanation: "without failed attempts" },
  attemptE2eMs: { name: "end to end of the successful attempt", explanation: "without failed attempts" },
  rateLimitWaitMs: { name: "waiting for the rate limit", explanation: "imposed by the account, in no other time" },
  tpotMs: { name: "time per output token", explanation: "how fast the text flows" },
  itlMs: { name: "gap between tokens", explanation: "how evenly it flows" },
  ttftFromIntentMs: { name: "time to first token from intent", explanation: "waiting in the queue included" },
  longestStopMs: { name: "longest stop inside an answer", explanation: "nothing came meanwhile" },
  queueWaitMs: { name: "waiting in the queue", explanation: "before a request is sent" },
} as const satisfies Record<string, LatencyName>
