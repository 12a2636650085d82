import type { Answer } from "../core/generation.ts"
import { isAnswered, passesWithTime } from "../core/outcome.ts"
import { callReasons } from "../words/reasons/calls.ts"
import { asksForTooLong, maxRetryAfterMs } from "./retry.ts"

/** Notices an endpoint that refuses every call for a reason that no other call would change. */
export interface RefusalWatch {
  /** Takes note of how an attempt ended. */
  saw(answer: Pick<Answer, "outcome" | "httpStatus" | "failure" | "retryAfterMs">): void
  /** Why nothing more is to be asked, in the service's own words; null while there is hope. */
  reason(): string | null
  /** The same where nothing was answered before, so that nothing is known of the variant. */
  failure(): string | null
}

/** Statuses that say something of the key or the model, not of the request. */
const ofTheAccount: ReadonlySet<number> = new Set([401, 403, 404])
const enoughOfTheAccount = 3
const enough = 8

/**
 * Gives up after three refusals with status 401, 403 or 404, or eight of another 4xx, that follow each other in the same
 * words before anything was answered. 408, 409, 425, 429 and 498 pass with time and are not counted, but for eight that follow each other and ask
 * to wait for longer than a run does: a quota that is used up, also after answers.
 */
export function createRefusalWatch(): RefusalWatch {
  let answered = false
  let last = ""
  let inARow = 0
  let reason: string | null = null
  return {
    saw({ outcome, httpStatus, failure, retryAfterMs }) {
      const words = statedOnce(httpStatus, failure?.message ?? callReasons.noReason)
      if (outcome === "rate_limited" && asksForTooLong(retryAfterMs)) {
        inARow = last === tooLong ? inARow + 1 : 1
        last = tooLong
        const wait = duration(retryAfterMs)
        if (inARow >= enough) reason ??= callReasons.longWait(wait, duration(maxRetryAfterMs), words)
        return
      }
      if (outcome !== "http_4xx" || passesWithTime(httpStatus)) {
        answered ||= isAnswered(outcome)
        inARow = 0
        last = ""
        return
      }
      inARow = withoutNumbers(words) === last ? inARow + 1 : 1
      last = withoutNumbers(words)
      const limit = httpStatus !== null && ofTheAccount.has(httpStatus) ? enoughOfTheAccount : enough
      if (!answered && inARow >= limit) reason ??= callReasons.allRefused(words)
    },
    reason: () => reason,
    failure: () => (answered ? null : reason),
  }
}

const tooLong = "too long"

const duration = (ms: number) => (ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`)

/** Most failures begin with their status. */
function statedOnce(httpStatus: number | null, message: string): string {
  const status = `HTTP ${httpStatus ?? "4xx"}`
  return message.startsWith(status) ? message : `${status}: ${message}`
}

/** The same refusal names another request each time. */
function withoutNumbers(words: string): string {
  return words.replace(/\b[\w-]*\d[\w-]*\b/g, "#")
}
