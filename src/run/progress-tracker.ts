import type { LimitChange } from "../calls/adaptive-limit.ts"
import type { GenerateObserver } from "../calls/observer.ts"
import type { Clock } from "../core/clock.ts"
import type { Price } from "../core/cost.ts"
import type { Generation } from "../core/generation.ts"
import { isTimedOutcome, type Outcome } from "../core/outcome.ts"
import { callId } from "../core/run/call-id.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunProgress, VariantProgress } from "../core/run/progress.ts"
import { isHardwarePrice, usdPerBusySecond } from "../cost/hardware.ts"
import { createOccupiedTime, type OccupiedTime } from "../perf/load/occupied-time.ts"
import { createRollingRate, type RollingRate } from "../perf/rolling-rate.ts"
import { laneOf } from "./plan.ts"

/** Rates are of this many of the latest milliseconds. */
const rateWindowMs = 5_000

/** Begins a note that stays when the run goes on. */
const failurePrefix = "failed: "

/** Counts what happens in a run; a look at it is a {@link RunProgress}. */
export interface ProgressTracker extends GenerateObserver {
  /** An answer that an earlier process of the run paid for; one that is asked again is not finished, and its cost goes over to what takes its place. */
  remember(generation: Generation, isAskedAgain: boolean): void
  limitChanged(variant: string, change: LimitChange): void
  stage(stage: RunProgress["stage"]): void
  note(text: string | null): void
  scored(variant: string, answers: number): void
  /** So many answers of a variant are on disk, whoever made them. */
  finished(variant: string, answers: number): void
  /** What the workers of a run spent together, in US dollars; null where it is not counted. */
  spent(usd: number | null): void
  /** What a variant waits for at its service; null: nothing any more. */
  waits(variant: string, what: string | null): void
  snapshot(): RunProgress
}

interface Counts {
  readonly lane: string
  /** It cannot be asked: its server did not start. */
  hasFailed: boolean
  finished: number
  scored: number
  inFlight: number
  limit: number
  retries: number
  costUsd: number | null
  /** What the variant's hardware costs while it works; null where tokens are paid, or nothing is known. */
  readonly usdPerSecond: number | null
  /** How long answers kept that hardware occupied. */
  readonly occupied: OccupiedTime
  readonly failures: Map<Outcome, number>
  /** Of the stage that is under way: answers that were asked, or scored. */
  readonly rate: RollingRate
  waitingUntilMs: number
  waitingFor: string
  /** A batch at the service. */
  batch: string | null
}

/** Follows a run from its events. Holds counters and the last seconds' answers, nothing that grows. */
export function createProgressTracker(options: {
  readonly evaluation: Evaluation
  readonly runId: string
  /** Answers that each variant is to give. */
  readonly planned: number
  readonly clock: Clock
}): ProgressTracker {
  const { evaluation, clock, planned } = options
  const startedMs = clock.now()
  let stage: RunProgress["stage"] = "starting"
  let note: string | null = null
  let spentUsd: number | null | undefined
  const counts = new Map<string, Counts>(
    evaluation.variants.map((variant) => [variant.name, emptyCounts(evaluation, laneOf(variant), variant.price)]),
  )
  const of = (variant: string): Counts => counts.get(variant) ?? emptyCounts(evaluation, "")
  /** What calls that are asked again have cost, in US dollars: their next answer holds it, too. */
  const askedAgain = new Map<string, number>()

  return {
    remember(generation, isAskedAgain) {
      const own = of(generation.variant)
      if (isAskedAgain) askedAgain.set(callId(generation), costOf(generation) ?? 0)
      else count(own, generation)
      addCost(own, generation)
    },
    callStarted(variant) {
      of(variant).inFlight++
      if (note !== null && !note.startsWith(failurePrefix)) note = null
    },
    callSaved(generation) {
      const own = of(generation.variant)
      own.inFlight--
      own.rate.add(clock.now(), 1, generation.usage.completionTokens ?? 0)
      count(own, generation)
      addCost(own, generation)
      if (askedAgain.size > 0) {
        const id = callId(generation)
        if (own.costUsd !== null) own.costUsd -= askedAgain.get(id) ?? 0
        askedAgain.delete(id)
      }
      settle(own)
    },
    callDropped(variant) {
      const own = of(variant)
      own.inFlight--
      settle(own)
    },
    retried(variant, attempt, delayMs) {
      const own = of(variant)
      own.retries++
      if (delayMs < 1000) return
      own.waitingUntilMs = clock.now() + delayMs
      own.waitingFor = attempt.httpStatus === null ? attempt.outcome : String(attempt.httpStatus)
    },
    limitChanged(variant, change) {
      of(variant).limit = change.to
    },
    variantFailed(variant, message) {
      of(variant).hasFailed = true
      note = `${failurePrefix}${variant}: ${message}`
    },
    stage(next) {
      stage = next
      note = null
      for (const own of counts.values()) {
        own.scored = 0
        own.rate.clear()
      }
    },
    note(text) {
      note = text
    },
    scored(variant, answers) {
      const own = of(variant)
      own.scored += answers
      if (stage === "scoring") own.rate.add(clock.now(), answers, 0)
    },
    finished(variant, answers) {
      const own = of(variant)
      if (answers > own.finished) own.rate.add(clock.now(), answers - own.finished, 0)
      own.finished = answers
    },
    spent(usd) {
      spentUsd = usd
      for (const own of counts.values()) own.costUsd = null
    },
    waits(variant, what) {
      of(variant).batch = what
    },
    snapshot() {
      const nowMs = clock.now()
      const moment = { stage, planned, nowMs, remainingMs: remainingByLane(counts.values(), planned, nowMs) }
      return {
        name: evaluation.name,
        runId: options.runId,
        stage,
        elapsedMs: nowMs - startedMs,
        variants: [...counts].map(([name, own]) => look(name, own, moment)),
        ...(spentUsd !== undefined && { spentUsd }),
        budgetUsd: evaluation.budget.usd ?? null,
        note,
      }
    },
  }
}

/**
 * Time until each lane has its answers, in milliseconds: variants of one lane take turns, and the rate of one alone is that of its last turn.
 * Null while nothing comes.
 */
function remainingByLane(all: Iterable<Counts>, planned: number, nowMs: number): ReadonlyMap<string, number | null> {
  const lanes = new Map<string, { left: number; perSecond: number }>()
  for (const { lane, hasFailed, finished, rate } of all) {
    const { left, perSecond } = lanes.get(lane) ?? { left: 0, perSecond: 0 }
    lanes.set(lane, {
      left: left + (hasFailed ? 0 : planned - finished),
      perSecond: perSecond + (rate.at(nowMs).answers ?? 0),
    })
  }
  return new Map(
    [...lanes].map(([lane, { left, perSecond }]) => [lane, perSecond > 0 ? (left / perSecond) * 1000 : null]),
  )
}

function count(counts: Counts, { outcome }: Generation): void {
  counts.finished++
  if (!isTimedOutcome(outcome)) counts.failures.set(outcome, (counts.failures.get(outcome) ?? 0) + 1)
}

/** Of what a cache or a record held nothing was paid in this run. */
function addCost(counts: Counts, generation: Generation): void {
  if (generation.source === "replayed" || generation.source === "recorded") return
  if (counts.usdPerSecond === null) {
    const usd = costOf(generation)
    counts.costUsd = counts.costUsd === null || usd === null ? null : counts.costUsd + usd
  } else counts.occupied.add(generation.segment, generation.log.sendMs, generation.log.endMs)
}

function costOf({ cost }: Generation): number | null {
  return cost.status === "unknown" ? null : cost.usd
}

/** With nothing in flight, what is to come begins later: only the sum of the time is kept. */
function settle({ inFlight, occupied }: Counts): void {
  if (inFlight <= 0) occupied.settle()
}

/** What was spent: of hardware for the time that answers took of it, else the sum of what they cost. */
function spentOf({ costUsd, usdPerSecond, occupied }: Counts): number | null {
  return costUsd === null || usdPerSecond === null ? costUsd : (usdPerSecond * occupied.totalMs()) / 1000
}

function emptyCounts(evaluation: Evaluation, lane: string, price: Price | null = null): Counts {
  return {
    lane,
    hasFailed: false,
    usdPerSecond: isHardwarePrice(price) ? usdPerBusySecond(price) : null,
    occupied: createOccupiedTime(),
    finished: 0,
    scored: 0,
    inFlight: 0,
    limit: evaluation.concurrency,
    retries: 0,
    costUsd: 0,
    failures: new Map(),
    rate: createRollingRate(rateWindowMs),
    waitingUntilMs: Number.NEGATIVE_INFINITY,
    waitingFor: "",
    batch: null,
  }
}

/** When a look is taken, and what all variants have in common then. */
interface Moment {
  readonly stage: RunProgress["stage"]
  readonly planned: number
  readonly nowMs: number
  readonly remainingMs: ReadonlyMap<string, number | null>
}

function look(name: string, counts: Counts, { stage, planned, nowMs, remainingMs }: Moment): VariantProgress {
  const rate = counts.rate.at(nowMs)
  const isScoring = stage === "scoring"
  const finished = isScoring ? counts.scored : counts.finished
  const scoringMs = rate.answers ? ((planned - finished) / rate.answers) * 1000 : null
  const waitMs = counts.waitingUntilMs - nowMs
  return {
    name,
    planned,
    finished,
    inFlight: counts.inFlight,
    limit: counts.limit,
    requestsPerSecond: rate.answers,
    tokensPerSecond: isScoring ? null : rate.tokens,
    remainingMs: isScoring ? scoringMs : (remainingMs.get(counts.lane) ?? null),
    costUsd: spentOf(counts),
    retries: counts.retries,
    failures: Object.fromEntries(counts.failures),
    waiting: counts.batch ?? (waitMs > 0 ? `${counts.waitingFor}, waiting ${Math.ceil(waitMs / 1000)} s` : null),
  }
}
