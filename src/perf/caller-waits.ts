import { modelSteps } from "../core/episode/episode.ts"
import type { Attempt, Generation } from "../core/generation.ts"
import type { RequestLog } from "../core/request-log.ts"

/** What a caller waited for besides the attempt that brought the answer, in milliseconds. */
export interface CallerWaits {
  /** Failed attempts, the waits after them, and the time that the endpoint was given to recover. */
  readonly failureMs: number
  /** What the account's own rate limits imposed: attempts that they refused (429), the pauses after them, limits of the config. */
  readonly rateLimitMs: number
}

/**
 * The waits of an answer before its last attempt was sent, from its logs. Nothing of the client's own delay is in them: the first
 * attempt counts from when it was sent.
 */
export function callerWaits({ log, retries, episode }: Pick<Generation, "log" | "retries" | "episode">): CallerWaits {
  const calls = episode ? modelSteps(episode.steps) : [{ log, retries }]
  let [failureMs, rateLimitMs] = [0, 0]
  for (const call of calls) {
    const waits = waitsOf(call)
    failureMs += waits.failureMs
    rateLimitMs += waits.rateLimitMs
  }
  return { failureMs, rateLimitMs }
}

function waitsOf({ log, retries }: { readonly log: RequestLog; readonly retries: readonly Attempt[] }): CallerWaits {
  const first = retries[0]?.log ?? log
  let failureMs = first.outageWaitMs ?? 0
  let rateLimitMs = first.rateLimitWaitMs ?? 0
  retries.forEach(({ outcome, log: failed }, i) => {
    const next = retries[i + 1]?.log ?? log
    const attemptMs = Math.max(0, failed.endMs - failed.sendMs)
    const pauseMs = Math.max(0, next.sendMs - failed.endMs)
    const limited = outcome === "rate_limited"
    // A pause after a 429 is the account's limit, whatever else it was for.
    const limitedPauseMs = limited ? pauseMs : Math.min(pauseMs, next.rateLimitWaitMs ?? 0)
    rateLimitMs += limitedPauseMs + (limited ? attemptMs : 0)
    failureMs += pauseMs - limitedPauseMs + (limited ? 0 : attemptMs)
  })
  return { failureMs, rateLimitMs }
}
