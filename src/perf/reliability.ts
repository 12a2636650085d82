import { modelSteps } from "../core/episode/episode.ts"
import type { Generation } from "../core/generation.ts"
import { isFailure, isOfVariant, type Outcome } from "../core/outcome.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import type { ReliabilityFigures } from "../core/report/report.ts"
import { createCompactList } from "../stats/compact-list.ts"
import { speedMethods, speedReasons } from "../words/perf/speed.ts"
import { wilsonRate } from "./wilson.ts"

/** Turns a stream of generations into what their callers lived through. */
export interface ReliabilityAccumulator {
  /** Every generation of one variant, in any order. */
  add(generation: Generation): void
  /** Null where no model was called. */
  figures(): ReliabilityFigures | null
}

/** Ends of attempts that say nothing of the service: the account's own limit, or a fault on our side. */
const notTheService: ReadonlySet<Outcome> = new Set<Outcome>(["rate_limited", "client_fault", "length_empty"])

/** Whether an attempt ended in a failure of the service. */
export function isFailedAttempt(outcome: Outcome): boolean {
  return isFailure(outcome) && isOfVariant(outcome) && !notTheService.has(outcome)
}

/** An empty accumulator; `alpha` is 1 − the level of the interval. */
export function createReliability(alpha = 0.05): ReliabilityAccumulator {
  const byClass = new Map<Outcome, number>()
  const segments = new Map<number, Ends>()
  let untimedFailures = 0
  const counts = { requests: 0, answered: 0, failed: 0, attempts: 0, failedAttempts: 0, rateLimited: 0 }

  const addAttempt = (ends: Ends | null, outcome: Outcome, endMs: number): void => {
    if (outcome === "rate_limited") counts.rateLimited++
    if (outcome === "rate_limited" || outcome === "client_fault" || !isOfVariant(outcome)) return
    counts.attempts++
    if (isFailedAttempt(outcome)) {
      counts.failedAttempts++
      byClass.set(outcome, (byClass.get(outcome) ?? 0) + 1)
      if (ends === null) untimedFailures++
      ends?.failed.push(endMs)
    } else ends?.answered.push(endMs)
  }

  return {
    add({ source, segment, outcome, log, retries, episode, isTrial }) {
      if (source === "replayed" || source === "foreign" || source === "batch" || isTrial) return
      if (!isOfVariant(outcome) || outcome === "client_fault") return
      counts.requests++
      if (isFailure(outcome)) counts.failed++
      else counts.answered++
      // When recorded answers came beside each other is not known.
      const ends = source === "measured" ? (segments.get(segment) ?? emptySegment()) : null
      if (ends) segments.set(segment, ends)
      // An episode is one request of its user, and as many attempts as its model was called.
      const calls = episode
        ? modelSteps(episode.steps).filter(({ isReplayed }) => !isReplayed)
        : [{ outcome, log, retries }]
      for (const call of calls)
        for (const attempt of [...call.retries, call]) addAttempt(ends, attempt.outcome, attempt.log.endMs)
    },
    figures() {
      if (counts.requests === 0) return null
      const outages = [...segments.values()].flatMap(({ failed, answered }) =>
        outagesOf(failed.sortInPlace(), answered.sortInPlace()),
      )
      return {
        ...counts,
        failuresByClass: Object.fromEntries([...byClass].sort(([, a], [, b]) => b - a)),
        attemptFailures: failureShare(counts, outages.length + untimedFailures, alpha),
        ...outageFigures(outages, counts.failedAttempts),
      }
    },
  }
}

/** The share with an interval for as many attempts as were independent: what fails in one outage counts once. */
function failureShare(
  { failedAttempts, attempts }: { readonly failedAttempts: number; readonly attempts: number },
  outages: number,
  alpha: number,
): Figure {
  const independent = failedAttempts === 0 ? attempts : (attempts * outages) / failedAttempts
  const share = wilsonRate(Math.min(outages, independent), independent, speedReasons.noAttempt, alpha)
  if (share.status === "unknown") return share
  const method = outages < failedAttempts ? speedMethods.joinedFailures(share.method) : share.method
  return { ...share, n: attempts, method }
}

type Ends = ReturnType<typeof emptySegment>

function emptySegment() {
  return { answered: createCompactList(), failed: createCompactList() }
}

/** A time in which nothing but failures came, and whether an answer ended it. */
interface Outage {
  readonly durationMs: number
  readonly hasEnded: boolean
}

/**
 * From each failure after which no answer had come yet to the next answer: several failures before that answer are one outage.
 *
 * @param failed when attempts failed, in order
 * @param answered when answers ended, in order
 */
function outagesOf(failed: Float64Array, answered: Float64Array): Outage[] {
  const outages: Outage[] = []
  const lastMs = failed.at(-1) ?? 0
  let next = 0
  let untilMs = Number.NEGATIVE_INFINITY
  for (const startMs of failed) {
    if (startMs < untilMs) continue
    while (next < answered.length && (answered[next] as number) < startMs) next++
    const hasEnded = next < answered.length
    untilMs = hasEnded ? (answered[next] as number) : Number.POSITIVE_INFINITY
    outages.push({ durationMs: (hasEnded ? untilMs : lastMs) - startMs, hasEnded })
  }
  return outages
}

function outageFigures(
  outages: readonly Outage[],
  failed: number,
): Pick<ReliabilityFigures, "longestOutageMs" | "recoveryMs"> {
  const ended = outages.filter(({ hasEnded }) => hasEnded)
  if (outages.length === 0) {
    const none = unknown(failed === 0 ? "no attempt failed" : speedReasons.attemptsUntimed)
    return { longestOutageMs: none, recoveryMs: none }
  }
  const longest = outages.reduce((max, { durationMs }) => Math.max(max, durationMs), 0)
  const isOpen = ended.length < outages.length
  const longestOutageMs: Figure = {
    status: "known",
    value: longest,
    n: outages.length,
    method: speedMethods.longestOutage,
    ...(isOpen && { warning: speedMethods.openOutage }),
  }
  if (ended.length === 0) return { longestOutageMs, recoveryMs: unknown(speedReasons.noAnswerAfterFailure) }
  const mean = ended.reduce((sum, { durationMs }) => sum + durationMs, 0) / ended.length
  return {
    longestOutageMs,
    recoveryMs: { status: "known", value: mean, n: ended.length, method: speedMethods.meanOutage },
  }
}
