import type { LedgerEntry } from "./ledger-server.ts"

/** What the caller of one question waited by the service's own ledger, in milliseconds. */
export interface CallerTimes {
  readonly question: string
  /** From when the request was due to the first word, and to the last one. */
  readonly ttftMs: number
  readonly e2eMs: number
  readonly longestStopMs: number
}

/**
 * What the callers of a model waited who ask again after a failure: from the first attempt on, without what a rate limit imposed. In the order
 * in which they began; those that were not answered in the end are left out.
 */
export function callerTimes(entries: readonly LedgerEntry[], model: string): readonly CallerTimes[] {
  const own = entries.filter((entry) => entry.model === model).sort((a, b) => a.arrivedMs - b.arrivedMs)
  const refusals = own.filter(({ outcome }) => outcome === "rate_limited")
  return [...new Set(own.map(({ question }) => question))].flatMap((question) => {
    const attempts = own.filter((entry) => entry.question === question)
    const [first, last] = [attempts[0] as LedgerEntry, attempts.at(-1) as LedgerEntry]
    if (last.outcome !== "ok") return []
    const imposedMs = attempts
      .slice(1)
      .reduce((sum, next, i) => sum + imposedBetween(attempts[i] as LedgerEntry, next, refusals), 0)
    const dueMs = first.arrivedMs + imposedMs
    return [timesSince(dueMs, question, last)]
  })
}

/**
 * What the callers of a load waited, who ask once: from when a request was due, by the plan of the load.
 *
 * @param ratePerSecond of an open loop with constant gaps, in the order of the questions; null: each was due when it came
 */
export function loadTimes(entries: readonly LedgerEntry[], ratePerSecond: number | null): readonly CallerTimes[] {
  const planMs = ({ question }: LedgerEntry) => (Number(question.slice(1)) * 1000) / (ratePerSecond ?? Number.NaN)
  // The plan begins with the request that came with the least delay.
  const beginMs = Math.min(...entries.map((entry) => entry.arrivedMs - planMs(entry)))
  return entries
    .filter(({ outcome }) => outcome === "ok")
    .map((entry) => {
      const dueMs = ratePerSecond === null ? entry.arrivedMs : beginMs + planMs(entry)
      return timesSince(dueMs, entry.question, entry)
    })
}

function timesSince(dueMs: number, question: string, { firstWordMs, endMs, longestStopMs }: LedgerEntry): CallerTimes {
  return { question, ttftMs: firstWordMs - dueMs, e2eMs: endMs - dueMs, longestStopMs }
}

/**
 * How much of the time from an attempt to the next one a rate limit imposed: all of it where it was refused itself; after a failure what
 * passed, beyond the wait that this asked for, until the pauses ended that refusals of others had imposed on the account.
 */
function imposedBetween(attempt: LedgerEntry, next: LedgerEntry, refusals: readonly LedgerEntry[]): number {
  if (attempt.outcome === "rate_limited") return next.arrivedMs - attempt.arrivedMs
  const waitedMs = attempt.endMs + (attempt.pauseMs ?? Number.POSITIVE_INFINITY)
  let untilMs = waitedMs
  for (const { endMs, pauseMs } of refusals) if (endMs <= untilMs) untilMs = Math.max(untilMs, endMs + (pauseMs ?? 0))
  return untilMs > waitedMs ? Math.max(0, Math.min(untilMs, next.arrivedMs) - waitedMs) : 0
}
