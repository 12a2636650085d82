import type { Answer } from "../core/generation.ts"
import { type Outcome, passesWithTime } from "../core/outcome.ts"
import type { Random } from "../core/random.ts"
import type { RetryPolicy } from "../core/run/evaluation.ts"

/** Failures that another attempt may cure. What the model decided (refused, empty) and what we sent wrong (4xx) are final. */
const retryable: ReadonlySet<Outcome> = new Set([
  "rate_limited",
  "http_5xx",
  "timeout_connect",
  "timeout_first_token",
  "timeout_gap",
  "timeout_total",
  "connection",
  "stream_error",
  "truncated",
  "malformed",
])

/** Failures that say "too much at once". */
const overload: ReadonlySet<Outcome> = new Set(["rate_limited", "http_5xx", "timeout_connect", "timeout_first_token"])

/** Failures after which the endpoint may be down altogether. */
const outage: ReadonlySet<Outcome> = new Set(["http_5xx", "timeout_connect", "timeout_first_token", "connection"])

/** What servers say with their 503 while they load: llama.cpp, vLLM's and TGI's front ends, Hugging Face, Ollama behind a proxy. */
const loadingWords = /\b(?:loading|still load|starting|warming up|not (?:yet )?ready|initiali[sz]ing|booting)\b/i

/** How often a server that loads is asked, and for how long, in milliseconds. */
export const loadingPauseMs = 2000
export const maxLoadingMs = 300_000

/** Whether the server has said that it loads its model: it is waited for, and has not failed. */
export function isLoading({ httpStatus, failure }: Pick<Answer, "httpStatus" | "failure">): boolean {
  return httpStatus === 503 && loadingWords.test(failure?.message ?? "")
}

/** Longest wait that a server may ask for, in milliseconds. */
export const maxRetryAfterMs = 300_000

/** Whether a server asks to wait for longer than that: another attempt before would be refused, too. */
export function asksForTooLong(retryAfterMs: number | null | undefined): retryAfterMs is number {
  return typeof retryAfterMs === "number" && retryAfterMs > maxRetryAfterMs
}

/** Whether the endpoint is over its capacity (429, 503, timeouts). */
export function isOverload(outcome: Outcome): boolean {
  return overload.has(outcome)
}

/** Whether the endpoint may be down. */
export function isOutage(outcome: Outcome): boolean {
  return outage.has(outcome)
}

/**
 * Milliseconds to wait before the next attempt, or null when there is to be none.
 * Exponential back-off with full jitter; the server's Retry-After is honoured when it is longer, up to five minutes. Where it is more,
 * as of a quota that is used up for the day, there is no other attempt.
 * A server that loads is asked every two seconds, for five minutes at most.
 * @param attempt 0 for the first attempt
 */
export function retryDelayMs(answer: Answer, attempt: number, policy: RetryPolicy, random: Random): number | null {
  if (isLoading(answer) && policy.retries > 0)
    return attempt * loadingPauseMs < maxLoadingMs ? Math.max(loadingPauseMs, answer.retryAfterMs ?? 0) : null
  const mayPass = retryable.has(answer.outcome) || (answer.outcome === "http_4xx" && passesWithTime(answer.httpStatus))
  if (attempt >= policy.retries || !mayPass || asksForTooLong(answer.retryAfterMs)) return null
  const backOff = random.next() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** attempt)
  return Math.max(backOff, answer.retryAfterMs ?? 0)
}
