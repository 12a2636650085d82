import { bareAnswer } from "../../core/bare-answer.ts"
import { logOfFigures } from "../../core/foreign/log-of-figures.ts"
import type { Answer } from "../../core/generation.ts"
import type { Outcome } from "../../core/outcome.ts"
import type { RequestLog, StreamEvent } from "../../core/request-log.ts"
import { unknownUsage } from "../../core/usage.ts"

/** What a load tool kept of a request; times in milliseconds, null where it kept none. */
export interface TimedRequestFacts {
  /** From the first start of the level. */
  readonly startMs: number | null
  /** From the request's own start. */
  readonly ttftMs: number | null
  readonly e2eMs: number | null
  /** When each chunk came, from the request's own start; empty where that was not kept. */
  readonly chunksMs?: readonly number[]
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly cachedPromptTokens?: number | null
  /** How it failed; absent for one that was answered. */
  readonly failure?: { readonly outcome: Outcome; readonly message: string } | undefined
}

/** A request of a load tool as an answer of evalkit's: its text was not kept, its times were. */
export function timedRequest(facts: TimedRequestFacts): Answer {
  const { startMs, promptTokens, completionTokens, cachedPromptTokens = null, failure } = facts
  const log = shifted(ownLog(facts), startMs ?? 0)
  return bareAnswer({
    outcome: failure?.outcome ?? (log.events.length > 0 || completionTokens !== 0 ? "ok" : "empty"),
    log,
    finishReason: null,
    failure: failure ? { message: failure.message.slice(0, 2000) } : null,
    usage: { ...unknownUsage, promptTokens, completionTokens, cachedPromptTokens },
  })
}

function ownLog({ ttftMs, e2eMs, chunksMs = [], completionTokens }: TimedRequestFacts): RequestLog {
  const tokens = completionTokens
  if (chunksMs.length > 1) {
    // The texts of chunks are not kept: tokens are shared out evenly, and a byte or more stands for each.
    const bytes = Math.max(1, Math.ceil((4 * (tokens ?? 0)) / chunksMs.length))
    const events = chunksMs.map((atMs): StreamEvent => ({ atMs, kind: "content", tokens: null, bytes }))
    return { ...noEvents, events, endMs: Math.max(e2eMs ?? 0, chunksMs.at(-1) as number) }
  }
  const text = "-".repeat(Math.min(4 * Math.max(tokens ?? 1, 1), 1_000_000))
  return logOfFigures({
    text: tokens === 0 ? "" : text,
    tokens,
    endOnly: true,
    ...(ttftMs !== null && { ttftMs }),
    ...(e2eMs !== null && { e2eMs }),
  })
}

const noEvents = { scheduledMs: 0, sendMs: 0, connectMs: null, headersMs: null } as const

function shifted(log: RequestLog, byMs: number): RequestLog {
  return {
    ...log,
    scheduledMs: log.scheduledMs + byMs,
    sendMs: log.sendMs + byMs,
    endMs: log.endMs + byMs,
    events: log.events.map((event) => ({ ...event, atMs: event.atMs + byMs })),
  }
}

/** Times that go forward: chunks that are numbers, each not before the last. */
export function forwardTimes(times: readonly number[]): readonly number[] {
  return times.every((at, i) => Number.isFinite(at) && at >= (times[i - 1] ?? 0)) ? times : []
}

/** How a request failed, by the status that the service gave it or by the tool's words. */
export function failedAs(status: number | undefined, words: string): Outcome {
  if (status === 429) return "rate_limited"
  if (status !== undefined && status >= 400 && status < 500) return "http_4xx"
  if (status !== undefined && status >= 500 && status < 600) return "http_5xx"
  if (/cancel/i.test(words)) return "cancelled"
  if (/time(?:d\s*)?out/i.test(words)) return "timeout_total"
  return /connect/i.test(words) ? "connection" : "application_error"
}
