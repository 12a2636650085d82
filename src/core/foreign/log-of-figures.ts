import type { RequestLog, StreamEvent } from "../request-log.ts"

/** What is known of an answer that somebody else timed. */
export interface TimedAnswer {
  readonly text: string
  readonly toolCalls?: readonly unknown[]
  /** Completion tokens; null when unknown. */
  readonly tokens: number | null
  /** Milliseconds from the start. */
  readonly ttftMs?: number | undefined
  readonly e2eMs?: number | undefined
  /** An answer without text and calls was given all the same, as one that is reasoning only: its end is one of reasoning. */
  readonly isSilent?: boolean
  /** The tool times whole answers: without a time to first token, there is none. */
  readonly endOnly?: boolean
}

/**
 * A log that says what two figures say and no more: the first token at the time to first token, the others at the end.
 * TPOT derived from it is (end to end − TTFT) / (tokens − 1), as those two figures define it.
 */
export function logOfFigures(answer: TimedAnswer): RequestLog {
  const { text, toolCalls = [], tokens, ttftMs, e2eMs } = answer
  const isSilent = text === "" && toolCalls.length === 0 && answer.isSilent === true
  const kind = isSilent ? "reasoning" : text === "" ? "tool" : "content"
  // Two, so that there is a last one behind the first.
  const bytes = isSilent ? 2 : Buffer.byteLength(text === "" && toolCalls.length > 0 ? JSON.stringify(toolCalls) : text)
  const events: StreamEvent[] = []
  const endMs = e2eMs ?? ttftMs ?? 0
  if (bytes > 0 && ttftMs !== undefined) {
    const whole = e2eMs === undefined || bytes === 1 || tokens === 1
    events.push({ atMs: ttftMs, kind, tokens: whole ? tokens : 1, bytes: whole ? bytes : 1 })
    if (!whole) events.push({ atMs: endMs, kind, tokens: tokens === null ? null : tokens - 1, bytes: bytes - 1 })
  } else if (bytes > 0 && e2eMs !== undefined) events.push({ atMs: e2eMs, kind, tokens, bytes })
  const endOnly = answer.endOnly && ttftMs === undefined && events.length > 0
  return {
    scheduledMs: 0,
    sendMs: 0,
    connectMs: null,
    headersMs: null,
    events,
    endMs,
    ...(endOnly && { endOnly: true as const }),
  }
}
