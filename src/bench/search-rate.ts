import type { RateSearch, RateTrial } from "../perf/bench/bench-result.ts"
import { wilsonInterval } from "../stats/intervals/proportion-interval.ts"
import { crossingRate } from "./crossing-rate.ts"

/** Where a search begins and how fine it ends. @experimental */
export interface RateSearchOptions {
  readonly startRate: number
  /** Share of the requests that must meet the objectives. */
  readonly share: number
  /** The search ends when the rate is known this well, as a share of it. Default 0.05. */
  readonly precision?: number
  /** Not tried below: an endpoint that breaks its objectives when idle does so at any rate. Default a 16th of the start. */
  readonly lowestRate?: number
  /** Levels at most. Default 32. */
  readonly maxTrials?: number
  /** A rate that is carried elsewhere at the same cost: it is tried first, and the search ends there where it is surely missed and `isBeaten`. */
  readonly rival?: { readonly rate: number; isBeaten(): boolean }
}

/** Length of a level in milliseconds; a quick probe only finds the region. */
interface Lengths {
  readonly probeMs: number
  readonly fullMs: number
}

/** A level lasts as long as this many answers one after the other: queues need that long to settle (30 × 20). */
const fullServiceTimes = 600
const probeServiceTimes = 60
const minMs: Lengths = { probeMs: 1_000, fullMs: 5_000 }
/** Slow servers get more levels rather than longer ones; `--duration` sets another length. */
const longestMs = 120_000
/** Fewer requests do not estimate the share that meets the objectives. */
const fewestRequests = 60

/**
 * The highest rate that meets the objectives. Doubles (or halves) with short levels until both sides are known, closes in
 * with long ones, and then measures around its estimate until that is as sure as asked for: the rate at which a logistic
 * curve through the levels' attainment passes the wanted share.
 *
 * @param tryRate measures one rate for so many milliseconds; null ends the search (interrupted)
 * @experimental
 */
export async function searchRate(
  tryRate: (ratePerSecond: number, durationMs: number) => Promise<RateTrial | null>,
  options: RateSearchOptions,
): Promise<RateSearch> {
  const { startRate, share, precision = 0.05, maxTrials = 32, lowestRate = startRate / 16, rival } = options
  const trials: RateSearch["trials"][number][] = []
  const long: RateTrial[] = []
  let good: number | null = null
  let broken: number | null = null
  const attempt = async (rate: number, kind: keyof Lengths): Promise<boolean | null> => {
    if (trials.length >= maxTrials) return null
    const trial = await tryRate(rate, Math.max(lengthOf(trials, kind), (fewestRequests / rate) * 1000))
    if (trial === null) return null
    const meetsSlo = keeps(trial, share)
    trials.push({ ...trial, meetsSlo })
    if (kind === "fullMs") long.push(trial)
    if (meetsSlo === null) return null
    if (meetsSlo) good = Math.max(good ?? 0, trial.achievedRate)
    else broken = Math.min(broken ?? Number.POSITIVE_INFINITY, trial.achievedRate)
    return meetsSlo
  }

  if (rival && (await attempt(rival.rate, "fullMs")) === false && isSurelyMissed(long[0], share) && rival.isBeaten())
    return { rate: null, low: null, high: null, lowestBroken: broken, isBeaten: true, trials }
  const [below, above] = await bracket(attempt, startRate, lowestRate)
  if (below !== null && above !== null) await refine(attempt, long, Math.sqrt(below * above), share, precision)
  const found = crossingRate(long, share)
  return {
    rate: found?.rate ?? good,
    low: found?.low ?? good,
    high: found?.high ?? broken,
    lowestBroken: broken,
    trials,
  }
}

/** Long levels before an estimate is believed. */
const minLong = 6
/** Where around the estimate the next level lies: a curve needs points on both sides. */
const spread = [1, 0.93, 1.07]
/** The estimate moves by this factor at most from one level to the next. */
const maxStepLength = 1.25

/** Measures around the estimate, which each level moves, until its interval is narrow enough. */
async function refine(
  attempt: (rate: number, kind: keyof Lengths) => Promise<boolean | null>,
  long: readonly RateTrial[],
  start: number,
  share: number,
  precision: number,
): Promise<void> {
  let centre = start
  for (let round = 0; ; round++) {
    const kept = await attempt(centre * (spread[round % spread.length] as number), "fullMs")
    if (kept === null) return
    const found = crossingRate(long, share)
    if (found && long.length >= minLong && found.high - found.low <= 2 * precision * found.rate) return
    const wanted = found?.rate ?? centre * (kept ? maxStepLength : 1 / maxStepLength)
    centre = Math.min(centre * maxStepLength, Math.max(centre / maxStepLength, wanted))
  }
}

/** Doubles or halves until a good and a broken rate are known. */
async function bracket(
  attempt: (rate: number, kind: keyof Lengths) => Promise<boolean | null>,
  startRate: number,
  lowestRate: number,
): Promise<[number | null, number | null]> {
  let below: number | null = null
  let above: number | null = null
  for (let rate = startRate; rate >= lowestRate && (below === null || above === null); ) {
    const meets = await attempt(rate, "probeMs")
    if (meets === null) break
    if (meets) below = rate
    else above = rate
    rate = meets ? rate * 2 : rate / 2
  }
  return [below, above]
}

function keeps({ attainment }: RateTrial, share: number): boolean | null {
  return attainment && !attainment.queueGrows && attainment.share >= share
}

/** Whether the share lies below what is wanted with the whole of its interval, or the queue grew. */
function isSurelyMissed(trial: RateTrial | undefined, share: number): boolean {
  if (!trial?.attainment) return false
  const { effectiveN, queueGrows, share: kept } = trial.attainment
  return queueGrows || wilsonInterval(kept * effectiveN, effectiveN, 0.05).high < share
}

/** By the shortest median that was seen: the server's own time, before requests wait for each other. */
function lengthOf(trials: readonly RateTrial[], kind: keyof Lengths): number {
  const medians = trials.flatMap(({ medianMs }) => medianMs ?? [])
  const serviceMs = medians.length > 0 ? Math.min(...medians) : 0
  const wantedMs = serviceMs * (kind === "fullMs" ? fullServiceTimes : probeServiceTimes)
  return Math.min(longestMs, Math.max(minMs[kind], wantedMs))
}
