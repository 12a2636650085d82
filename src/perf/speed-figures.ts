import type { Generation } from "../core/generation.ts"
import { isAnswered, isOfVariant, type Outcome } from "../core/outcome.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import type { SpeedFigures } from "../core/report/report.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { answerLatency, hasLatency, isColdLatency, isStalled } from "./answer-latency.ts"
import { eventTokens, writtenEvents } from "./event-tokens.ts"
import { createLatencyLists } from "./latency-lists.ts"
import { createThroughput, type LoadRates } from "./throughput.ts"
import { createTimeLine } from "./time-line.ts"
import { wilsonRate } from "./wilson.ts"

/** What an accumulator may know of the load. @experimental */
export interface SpeedOptions {
  /** Slots of the closed loop, `null` for an open loop; left out: the median number in flight. */
  readonly slots?: number | null
  /** 1 − the level of the intervals. Default 0.05. */
  readonly alpha?: number
  /** Longest that a caller may wait for the end of an answer, in milliseconds. Default: no limit. */
  readonly timeLimitMs?: number
}

/** Turns a stream of generations into speed figures. It keeps numbers, never texts. @experimental */
export interface SpeedAccumulator {
  /**
   * Every generation of one variant, failures and replays too, in any order.
   *
   * @param correct score of the quality axis, 0..1; null when unscored
   */
  add(generation: Generation, correct?: number | null): void
  figures(): SpeedFigures
  /** What the service brings in a second of steady load: what hardware that is paid by the hour costs. */
  rates(): LoadRates
  /** ok and length, in time / all that were not cancelled by the user, replays left out; Wilson's interval. */
  availability(): Figure
  outcomes(): Readonly<Partial<Record<Outcome, number>>>
  /** Attempts that failed before the one that counts. */
  retries(): number
  /** Requests served without a call / all requests. */
  responseCacheHitRate(): Figure
  /** Gives back the memory of what `figures` is made from, once it was asked for; the counts stay. */
  release(): void
}

/**
 * Collects the speed of one variant. Only measured (or recorded) answers that ended `ok` or `length` enter latency;
 * answers that met a cold service enter only where there is no other; replays enter nothing but their own count, and answers of a
 * batch availability and their own count; every other class stays in the denominator of availability.
 * @experimental
 */
export function createSpeedAccumulator(options: SpeedOptions = {}): SpeedAccumulator {
  const { alpha = 0.05, timeLimitMs = Number.POSITIVE_INFINITY } = options
  const warm = createLatencyLists(alpha)
  const cold = createLatencyLists(alpha)
  const throughput = createThroughput(options.slots, alpha)
  const timeLine = createTimeLine()
  const outcomes = new Map<Outcome, number>()
  let replayed = 0
  let stalled = 0
  let foreign = 0
  let untimed = 0
  let called = 0
  let answered = 0
  let cancelled = 0
  let retries = 0
  let longestTokens = 0

  /** Read once: `rates` and `figures` are of the same answers. */
  let result: LoadRates | null = null
  function rates(): LoadRates {
    result ??= called > 0 && untimed === called ? nothingTimed : throughput.rates()
    return result
  }

  function addLoad(generation: Generation, correct: number | null): void {
    result = null
    const { segment, log, usage } = generation
    const isAnswer = isAnswered(generation.outcome)
    const events = writtenEvents(log, usage.completionTokens, usage.reasoningTokens)
    const tokens = eventTokens(events, usage.completionTokens, usage.reasoningTokens)
    timeLine.started(segment, log.sendMs)
    timeLine.ended(segment, log.endMs, !isAnswer)
    events.forEach((event, i) => void timeLine.tokens(segment, event.atMs, tokens?.perEvent[i] ?? 0))
    const { sendMs, endMs } = log
    const written = usage.completionTokens ?? tokens?.total ?? null
    if (hasLatency(generation)) longestTokens = Math.max(longestTokens, written ?? 0)
    throughput.add({ segment, sendMs, endMs, answered: isAnswer, tokens: written, correct })
  }

  return {
    add(generation, correct = null) {
      outcomes.set(generation.outcome, (outcomes.get(generation.outcome) ?? 0) + 1)
      retries += generation.retries.length
      if (generation.source === "replayed") return void replayed++
      if (generation.source === "foreign") return void foreign++
      called++
      if (isAnswered(generation.outcome) && (answerLatency(generation).e2eMs ?? 0) <= timeLimitMs) answered++
      if (!isOfVariant(generation.outcome)) cancelled++
      if (generation.source === "batch" || generation.isTrial) return void untimed++
      if (hasLatency(generation)) (isColdLatency(generation) ? cold : warm).add(generation)
      else if (isStalled(generation)) stalled++
      addLoad(generation, correct)
    },
    figures() {
      const isColdOnly = warm.size() === 0 && cold.size() > 0
      const lists = isColdOnly ? cold : warm
      const counts = { replayed, foreign, untimed, called }
      const none = lists.size() === 0 && stalled > 0 ? speedReasons.allStalled : reasonForNone(counts)
      return {
        measured: lists.size(),
        replayed,
        ...(untimed > 0 && { untimed }),
        ...(stalled > 0 && { stalled }),
        ...(isColdOnly ? { coldCounted: cold.size() } : cold.size() > 0 && { cold: cold.size() }),
        ...(longestTokens > 0 && { longestTokens }),
        ...lists.distributions(none),
        systemTokensPerSecond: rates().tokensPerSecond,
        requestsPerSecond: rates().requestsPerSecond,
        overTime: timeLine.seconds(),
      }
    },
    rates,
    availability() {
      const none = reasonForNone({ replayed, foreign, untimed, called })
      const share = wilsonRate(answered, called - cancelled, none, alpha)
      if (share.status === "unknown" || timeLimitMs === Number.POSITIVE_INFINITY) return share
      return { ...share, method: `${share.method}, answered within ${timeLimitMs} ms` }
    },
    outcomes: () => Object.fromEntries(outcomes),
    retries: () => retries,
    responseCacheHitRate: () => wilsonRate(replayed, replayed + called, speedReasons.noRequest, alpha),
    release() {
      for (const part of [warm, cold, throughput]) part.clear()
    },
  }
}

const batchReason = "not measured (batch)"

const unmeasured = unknown(batchReason)
/** Throughput of answers that came by batch. */
const nothingTimed: LoadRates = {
  tokensPerSecond: unmeasured,
  requestsPerSecond: unmeasured,
  sentPerSecond: unmeasured,
  correctPerSecond: unmeasured,
  inFlight: null,
}

function reasonForNone(counts: {
  readonly replayed: number
  readonly foreign: number
  readonly untimed: number
  readonly called: number
}) {
  if (counts.untimed > 0) return batchReason
  if (counts.called > 0) return speedReasons.noneAnswered
  if (counts.replayed > 0) return speedReasons.allReplayed
  return counts.foreign > 0 ? speedReasons.foreignOutputs : speedReasons.nothingMeasured
}
