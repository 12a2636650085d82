import { type Figure, unknown } from "../core/report/figure.ts"
import { createCompactList } from "../stats/compact-list.ts"
import { releaseNumbers } from "../stats/mapped-numbers.ts"
import { sum } from "../stats/sum.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { type LoadUnits, loadUnits } from "./load/load-units.ts"
import { rateOfLoad } from "./load/rate-of-load.ts"

/** What throughput needs to know of one request. */
interface LoadedRequest {
  readonly segment: number
  readonly sendMs: number
  readonly endMs: number
  readonly answered: boolean
  /** Output tokens; null when they were not counted. */
  readonly tokens: number | null
  /** How correct the answer is, 0..1; null when unscored. */
  readonly correct: number | null
}

/** What a service brings in a second of steady load, each with its interval. @experimental */
export interface LoadRates {
  readonly tokensPerSecond: Figure
  /** Those that were answered. */
  readonly requestsPerSecond: Figure
  /** Those that were sent, whatever became of them. */
  readonly sentPerSecond: Figure
  /** Sum of how correct the answers are. */
  readonly correctPerSecond: Figure
  /** Mean number of requests in flight meanwhile; null: unknown. */
  readonly inFlight: number | null
}

/** Throughput of all requests together, over the steady window of each segment. */
export interface Throughput {
  add(request: LoadedRequest): void
  rates(): LoadRates
  /** Gives back the memory of what was added, which is forgotten. */
  clear(): void
}

/**
 * Rates under steady load (see {@link rateOfLoad}): how many requests are in flight is taken from the steady window of each segment, and
 * how long they take from all of its requests. Only answered requests bring tokens.
 *
 * @param slots as in `steadyWindow`; left out: the median number in flight
 * @param alpha 1 − the level of the intervals
 */
export function createThroughput(slots?: number | null, alpha = 0.05): Throughput {
  const segments = new Map<number, ReturnType<typeof emptySegment>>()
  return {
    add({ segment, sendMs, endMs, answered, tokens, correct }) {
      const list = segments.get(segment) ?? emptySegment()
      segments.set(segment, list)
      list.starts.push(sendMs)
      list.ends.push(endMs)
      list.answered.push(Number(answered))
      list.uncounted.push(Number(answered && tokens === null))
      list.tokens.push(answered ? (tokens ?? 0) : 0)
      list.correct.push(answered ? (correct ?? 0) : 0)
    },
    rates() {
      const lists = [...segments].sort(([a], [b]) => a - b).map(([, segment]) => valuesOf(segment))
      const units = loadUnits(lists, slots)
      for (const { starts, ends, amounts } of lists) releaseNumbers(starts, ends, ...amounts)
      return ratesOf(units, alpha)
    },
    clear() {
      for (const lists of segments.values()) for (const list of Object.values(lists)) list.clear()
      segments.clear()
    },
  }
}

/** Requests in the order in which they came. */
function emptySegment() {
  return {
    starts: createCompactList(),
    ends: createCompactList(),
    answered: createCompactList(),
    uncounted: createCompactList(),
    tokens: createCompactList(),
    correct: createCompactList(),
  }
}

function valuesOf({ starts, ends, answered, uncounted, tokens, correct }: ReturnType<typeof emptySegment>) {
  return {
    starts: starts.values(),
    ends: ends.values(),
    amounts: [answered.values(), uncounted.values(), tokens.values(), correct.values()] as const,
  }
}

function ratesOf(units: LoadUnits | string, alpha: number): LoadRates {
  if (typeof units === "string") return noRates(units)
  const [answered, uncounted, tokens, correct] = units.amounts as readonly [
    ...[answered: Float64Array, uncounted: Float64Array, tokens: Float64Array, correct: Float64Array],
  ]
  const n = sum(answered)
  if (n === 0) return noRates(speedReasons.noneInWindow)
  const over = `${(sum(units.windowMs) / 1000).toFixed(2)} s of steady load`
  const rate = (amounts: Float64Array, what: string, count = n) =>
    rateOfLoad(units, amounts, { n: count, method: `${what} in ${over}`, alpha })
  return {
    tokensPerSecond: sum(uncounted) > 0 ? unknown(speedReasons.someUncounted) : rate(tokens, "output tokens"),
    requestsPerSecond: rate(answered, "answered requests"),
    sentPerSecond: rate(units.requests, "requests", sum(units.requests)),
    correctPerSecond: rate(correct, "correct answers"),
    inFlight: sum(units.inFlightMs) / sum(units.windowMs),
  }
}

function noRates(reason: string): LoadRates {
  const none = unknown(reason)
  return { tokensPerSecond: none, requestsPerSecond: none, sentPerSecond: none, correctPerSecond: none, inFlight: null }
}
