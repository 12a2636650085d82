import type { Generation } from "../core/generation.ts"
import type { Figure } from "../core/report/figure.ts"
import type { Distribution, SpeedFigures } from "../core/report/report.ts"
import { type CompactList, createCompactList } from "../stats/compact-list.ts"
import type { DependentValues } from "../stats/intervals/series-quantile.ts"
import type { NumberList } from "../stats/number-list.ts"
import { speedMethods, speedReasons } from "../words/perf/speed.ts"
import { generationFigures, later } from "./answer-latency.ts"
import { createAnswerOrder } from "./answer-order.ts"
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

type MeasuredAnswer = Pick<
  Generation,
  "log" | "usage" | "episode" | "server" | "retries" | "segment" | "sampleId" | "repeat"
>

/** Latencies of answers, as lists of numbers: one of each answer, NaN where it has none. */
export interface LatencyLists {
  add(generation: MeasuredAnswer): void
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
  const order = createAnswerOrder()
  const gaps = createCompactList()
  return {
    add(generation) {
      const figures = generationFigures(generation)
      const { failureMs, rateLimitMs } = callerWaits(generation)
      const [ttftMs, e2eMs] = [later(figures.ttftMs, failureMs), later(figures.e2eMs, failureMs)]
      order.add(generation)
      queueWait.push(figures.queueWaitMs)
      rateLimitWait.push(rateLimitMs)
      ttftAny.add(later(figures.ttftAnyMs, failureMs), ttftMs)
      attemptTtft.add(figures.ttftMs, ttftMs)
      attemptE2e.add(figures.e2eMs, e2eMs)
      ttftFromIntent.add(figures.ttftFromIntentMs, ttftMs)
      ttft.push(ttftMs ?? Number.NaN)
      e2e.push(e2eMs ?? Number.NaN)
      tpot.push(figures.tpotMs ?? Number.NaN)
      longestStop.push(figures.longestStopMs ?? Number.NaN)
      lateSpeed.push(figures.lateSpeedRatio ?? Number.NaN)
      outputSpeed.push(figures.outputTokensPerSecond ?? Number.NaN)
      for (const gap of figures.itlMs) itl.push(gap)
      gaps.push(figures.itlMs.length)
      stages.add(generation.log)
      server.add(generation, figures)
    },
    size: order.size,
    distributions(none) {
      const size = order.size()
      const stageFigures = stages.figures()
      const ofServer = (list: NumberList, reason: string, note: string) =>
        distributionOf(list.sortInPlace(), reason, note, alpha)
      const distribution = (list: NumberList, reason: string) => {
        const series = order.series(list)
        return distributionOf(Float64Array.from(series.values).sort(), reason, "", alpha, series)
      }
      const tokenGaps = answerGaps(itl, gaps)
      const serverFigures = server.figures()
      const noTokens = size > 0 ? speedReasons.noSpacedTokens : none
      const noFirst = size > 0 ? speedReasons.endsOnly : none
      const waited = rateLimitWait.values().some((ms) => ms > 0)
      const byServer = server.decodeSpeeds.length > knownValues(outputSpeed).length
      const late = distribution(lateSpeed, none).p50
      return {
        ttftMs: distribution(ttft, noFirst),
        ...(ttftAny.differs() && { ttftAnyMs: distribution(ttftAny.list(), noFirst) }),
        ...(attemptTtft.differs() && { attemptTtftMs: distribution(attemptTtft.list(), noFirst) }),
        ...(attemptE2e.differs() && { attemptE2eMs: distribution(attemptE2e.list(), none) }),
        ...stopFigures(distribution(longestStop, none), knownValues(longestStop), alpha),
        ...(late.status === "known" && { lateSpeedRatio: late }),
        ...(waited && { rateLimitWaitMs: distribution(rateLimitWait, none) }),
        ttftFromIntentMs: distribution(ttftFromIntent.list(), noFirst),
        e2eMs: distribution(e2e, none),
        tpotMs: distribution(tpot, noTokens),
        itlMs: distributionOf(itl.sorted(), noTokens, "", alpha, tokenGaps),
        queueWaitMs: distribution(queueWait, none),
        outputTokensPerSecond: byServer
          ? statedByServer(ofServer(server.decodeSpeeds, noTokens, speedMethods.serverClock))
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
        gaps,
        ...twins,
      ])
        list.clear()
      order.clear()
    },
  }
}

/** @param stops the longest stop of each answer that came in several chunks */
function stopFigures(
  longestStopMs: Distribution,
  stops: Float64Array,
  alpha: number,
): Pick<SpeedFigures, "longestStopMs" | "stopShare"> {
  if (stops.length === 0) return {}
  const stopped = stops.reduce((count, ms) => count + Number(ms > noticedStop.ms), 0)
  return { longestStopMs, stopShare: wilsonRate(stopped, stops.length, "", alpha) }
}

const knownValues = (list: NumberList): Float64Array => list.values().filter((value) => !Number.isNaN(value))

/** The times between tokens, those of one answer as one unit. */
function answerGaps(itl: NumberList, gaps: NumberList): DependentValues {
  const of = new Int32Array(itl.length)
  let [at, answers] = [0, 0]
  for (const count of gaps.values()) {
    // An answer in one piece has none.
    if (count === 0) continue
    of.fill(answers++, at, at + count)
    at += count
  }
  return { values: itl.values(), units: { of, count: answers }, isUnordered: true }
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
        for (const item of other.values()) own.push(item)
      }
      own.push(value ?? Number.NaN)
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
