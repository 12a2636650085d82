import type { Generation } from "../core/generation.ts"
import type { Figure } from "../core/report/figure.ts"
import type { Distribution, SpeedFigures } from "../core/report/report.ts"
import { type CompactList, createCompactList } from "../stats/compact-list.ts"
import type { NumberList } from "../stats/number-list.ts"
import { speedMethods, speedReasons } from "../words/perf/speed.ts"
import { generationFigures, later } from "./answer-latency.ts"
import { noticedStop } from "./bench/experience.ts"
import { callerWaits } from "./caller-waits.ts"
import { distributionOf } from "./distribution.ts"
import { createServerPhases } from "./server/server-phases.ts"
import { createStageTimes } from "./stage-times.ts"
import { wilsonRate } from "./wilson.ts"

/** The figures of a variant that are distributions over its answers. */
type Distributions = Pick<
  SpeedFigures,
  | "ttftMs"
  | "ttftFromIntentMs"
  | "e2eMs"
  | "tpotMs"
  | "itlMs"
  | "ttftAnyMs"
  | "attemptTtftMs"
  | "attemptE2eMs"
  | "rateLimitWaitMs"
  | "longestStopMs"
  | "stopShare"
  | "lateSpeedRatio"
  | "queueWaitMs"
  | "outputTokensPerSecond"
  | "stages"
  | "server"
>

/** Latencies of answers, as lists of numbers. */
export interface LatencyLists {
  add(generation: Pick<Generation, "log" | "usage" | "episode" | "server" | "retries">): void
  /** How many answers were added. */
  size(): number
  /** @param none why there is nothing, where nothing was added */
  distributions(none: string): Distributions
  /** Gives back the memory of the lists, which are empty from then on. */
  clear(): void
}

/** Empty {@link LatencyLists}; `alpha` is 1 − the level of their intervals. */
export function createLatencyLists(alpha = 0.05): LatencyLists {
  const ttft = createCompactList()
  const ttftFromIntent = createTwin(ttft)
  const e2e = createCompactList()
  const tpot = createCompactList()
  const itl = createCompactList()
  const queueWait = createCompactList()
  const outputSpeed = createCompactList()
  const stages = createStageTimes(alpha)
  const server = createServerPhases(alpha)
  const ttftAny = createTwin(ttft)
  const attemptTtft = createTwin(ttft)
  const attemptE2e = createTwin(e2e)
  const rateLimitWait = createCompactList()
  const longestStop = createCompactList()
  const lateSpeed = createCompactList()
  let size = 0
  return {
    add(generation) {
      const figures = generationFigures(generation)
      const { failureMs, rateLimitMs } = callerWaits(generation)
      const [ttftMs, e2eMs] = [later(figures.ttftMs, failureMs), later(figures.e2eMs, failureMs)]
      size++
      queueWait.push(figures.queueWaitMs)
      rateLimitWait.push(rateLimitMs)
      ttftAny.add(later(figures.ttftAnyMs, failureMs), ttftMs)
      attemptTtft.add(figures.ttftMs, ttftMs)
      attemptE2e.add(figures.e2eMs, e2eMs)
      ttftFromIntent.add(figures.ttftFromIntentMs, ttftMs)
      pushKnown(ttft, ttftMs)
      pushKnown(e2e, e2eMs)
      pushKnown(tpot, figures.tpotMs)
      pushKnown(longestStop, figures.longestStopMs)
      pushKnown(lateSpeed, figures.lateSpeedRatio)
      pushKnown(outputSpeed, figures.outputTokensPerSecond)
      for (const gap of figures.itlMs) itl.push(gap)
      stages.add(generation.log)
      server.add(generation, figures)
    },
    size: () => size,
    distributions(none) {
      const stageFigures = stages.figures()
      const distribution = (list: NumberList, reason: string, note = "") =>
        distributionOf(list.sortInPlace(), reason, note, alpha)
      const serverFigures = server.figures()
      const noTokens = size > 0 ? speedReasons.noSpacedTokens : none
      const noFirst = size > 0 ? speedReasons.endsOnly : none
      const waited = rateLimitWait.values().some((ms) => ms > 0)
      const byServer = server.decodeSpeeds.length > outputSpeed.length
      return {
        ttftMs: distribution(ttft, noFirst),
        ...(ttftAny.differs() && { ttftAnyMs: distribution(ttftAny.list(), noFirst) }),
        ...(attemptTtft.differs() && { attemptTtftMs: distribution(attemptTtft.list(), noFirst) }),
        ...(attemptE2e.differs() && { attemptE2eMs: distribution(attemptE2e.list(), none) }),
        ...stopFigures(longestStop.sortInPlace(), alpha),
        ...(lateSpeed.length > 0 && { lateSpeedRatio: distribution(lateSpeed, none).p50 }),
        ...(waited && { rateLimitWaitMs: distribution(rateLimitWait, none) }),
        ttftFromIntentMs: distribution(ttftFromIntent.list(), noFirst),
        e2eMs: distribution(e2e, none),
        tpotMs: distribution(tpot, noTokens),
        itlMs: distribution(itl, noTokens, speedMethods.independentTokens),
        queueWaitMs: distribution(queueWait, none),
        outputTokensPerSecond: byServer
          ? statedByServer(distribution(server.decodeSpeeds, noTokens, speedMethods.serverClock))
          : distribution(outputSpeed, noTokens),
        ...(stageFigures && { stages: stageFigures }),
        ...(serverFigures && { server: serverFigures }),
      }
    },
    clear() {
      const twins = [ttftAny, attemptTtft, attemptE2e, ttftFromIntent]
      for (const list of [
        ttft,
        e2e,
        tpot,
        itl,
        queueWait,
        outputSpeed,
        rateLimitWait,
        longestStop,
        lateSpeed,
        ...twins,
      ])
        list.clear()
      size = 0
    },
  }
}

/** @param stops the longest stop of each answer that came in several chunks, in order */
function stopFigures(stops: Float64Array, alpha: number): Pick<SpeedFigures, "longestStopMs" | "stopShare"> {
  if (stops.length === 0) return {}
  const stopped = stops.reduce((count, ms) => count + Number(ms > noticedStop.ms), 0)
  return {
    longestStopMs: distributionOf(stops, "", "", alpha),
    stopShare: wilsonRate(stopped, stops.length, "", alpha),
  }
}

/** A list that is another one until a number of its own differs. */
function createTwin(other: NumberList) {
  let own: CompactList | null = null
  return {
    /** @param theirs what the other list is about to take; null: nothing */
    add(value: number | null, theirs: number | null): void {
      if (own === null && value === theirs) return
      if (own === null) {
        own = createCompactList()
        for (const one of other.values()) own.push(one)
      }
      pushKnown(own, value)
    },
    list: (): NumberList => own ?? other,
    differs: () => own !== null,
    clear: () => own?.clear(),
  }
}

function statedByServer({ percentiles, ...figures }: Distribution): Distribution {
  const { mean, p50, p90, p95, p99 } = figures
  const mark = (figure: Figure): Figure => (figure.status === "known" ? { ...figure, by: "server" } : figure)
  return { mean: mark(mean), p50: mark(p50), p90: mark(p90), p95: mark(p95), p99: mark(p99), percentiles }
}

function pushKnown(list: { push(value: number): void }, value: number | null): void {
  if (value !== null) list.push(value)
}
