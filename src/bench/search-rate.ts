import type { RateSearch, RateTrial } from "../perf/bench/bench-result.ts"
import { wilsonInterval } from "../stats/intervals/proportion-interval.ts"
import { type CrossingRate, crossingRate } from "./crossing-rate.ts"

/** Where a search begins and how fine it ends. @experimental */
export interface RateSearchOptions {
  readonly startRate: number
  /** Share of the requests that must meet the objectives. */
  readonly share: number
  /** The search ends when the rate is known this well, as a share of it. Default 0.05. */
  readonly precision?: number
  /** Levels around the estimate before it is believed. Default 6. */
  readonly minLevels?: number
  /** How long a request takes that does not wait, in milliseconds; absent: by the levels. */
  readonly serviceMs?: number
  /** Levels differ by their rates and hardly by the luck of their arrivals, so that short ones are enough. Default false. */
  readonly hasTypicalArrivals?: boolean
  /** Hears how far the search is, before it begins and after each level. */
  onProgress?(progress: SearchProgress): void
  /** Not tried below: an endpoint that breaks its objectives when idle does so at any rate. Default a 16th of the start. */
  readonly lowestRate?: number
  /** Levels at most. Default 32. */
  readonly maxTrials?: number
  /** A rate that is carried elsewhere at the same cost: it is tried first, and the search ends there where it is surely missed and `isBeaten`. */
  readonly rival?: { readonly rate: number; isBeaten(): boolean }
}

/** How far a search for a rate is. @experimental */
export interface SearchProgress {
  readonly levels: number
  /** Length of the levels that decide, and what is left of the search, in milliseconds: a guess by what was seen so far. */
  readonly levelMs: number
  readonly leftMs: number
  /** The rate is wanted within this share of it. */
  readonly precision: number
  /** Null until it is known. */
  readonly found: CrossingRate | null
}

/** Length of a level in milliseconds; a quick probe only finds the region. */
interface Lengths {
  readonly probeMs: number
  readonly fullMs: number
}

/** A level lasts as long as this many answers one after the other: queues need that long to settle (30 × 20), or to be measured where luck is left out. */
const fullServiceTimes = 600
const typicalServiceTimes = 60
const probeServiceTimes = 30
const minMs: Lengths = { probeMs: 1_000, fullMs: 5_000 }
/** Slow servers get more levels rather than longer ones; `--duration` sets another length. */
const longestMs = 120_000
/** Fewer requests do not estimate the share that meets the objectives. */
const fewestRequests = 60

/**
 * The highest rate that meets the objectives. Steps up or down with short levels until both sides are known, closes in
 * with long ones, no rate twice, and then measures around its estimate until that is as sure as asked for: the rate at which a logistic
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
  const { minLevels = 6, onProgress } = options
  const trials: RateSearch["trials"][number][] = []
  const long: RateTrial[] = []
  let good: number | null = null
  let broken: number | null = null
  const durationOf = (rate: number, kind: keyof Lengths) =>
    Math.max(lengthOf(trials, kind, options), (fewestRequests / rate) * 1000)
  const tell = (rate: number) => {
    const [levelMs, probeMs] = [durationOf(rate, "fullMs"), durationOf(rate, "probeMs")]
    const found = crossingRate(long, share)
    const wanted = found && long.length > 2 ? long.length * (halfWidth(found) / precision) ** 2 : defaultLevels
    const levels = Math.min(maxTrials, Math.max(minLevels, Math.ceil(wanted))) - long.length
    const leftMs = Math.max(0, levels) * levelMs + (long.length === 0 ? defaultProbes * probeMs : 0)
    onProgress?.({ levels: trials.length, levelMs, leftMs, precision, found })
  }
  const attempt = async (asked: number, kind: keyof Lengths): Promise<boolean | null> => {
    if (trials.length >= maxTrials) return null
    const rate = untried(asked, trials)
    const trial = await tryRate(rate, durationOf(rate, kind))
    if (trial === null) return null
    const meetsSlo = keeps(trial, share)
    trials.push({ ...trial, meetsSlo })
    if (kind === "fullMs") long.push(trial)
    tell(rate)
    if (meetsSlo === null) return null
    if (meetsSlo) good = Math.max(good ?? 0, trial.achievedRate)
    else broken = Math.min(broken ?? Number.POSITIVE_INFINITY, trial.achievedRate)
    return meetsSlo
  }

  tell(startRate)
  if (rival && (await attempt(rival.rate, "fullMs")) === false && isSurelyMissed(long[0], share) && rival.isBeaten())
    return { rate: null, low: null, high: null, lowestBroken: broken, isBeaten: true, trials }
  const [below, above] = await bracket(attempt, startRate, lowestRate)
  if (below !== null && above !== null)
    await refine(attempt, long, Math.sqrt(below * above), { share, precision, minLevels })
  const found = crossingRate(long, share)
  // A rate that broke the objectives below one that kept them bounds it from below.
  const [least, most] = good !== null && broken !== null && broken < good ? [broken, good] : [good, broken]
  return {
    rate: found?.rate ?? good,
    low: found?.low ?? least,
    high: found?.high ?? most,
    lowestBroken: broken,
    trials,
  }
}

/** What a search takes that knows nothing yet: for the time it will take. */
const [defaultLevels, defaultProbes] = [12, 2]
/** Rates that are nearer to each other than this share are one: the same level again would say little. */
const sameRate = 0.002

/** A rate that no level had, as near as can be. */
function untried(rate: number, trials: readonly RateTrial[]): number {
  const isTried = trials.some(({ askedRate }) => Math.abs(askedRate / rate - 1) < sameRate)
  return isTried ? untried(rate * (1 + 2 * sameRate), trials) : rate
}

/** Half of an interval, as a share of the rate. */
function halfWidth({ rate, low, high }: CrossingRate): number {
  return (high - low) / (2 * rate)
}

/** Where around the estimate the next level lies: a curve needs points on both sides. */
const spread = [1, 0.97, 1.03]
/** The estimate moves by this factor at most from one level to the next. */
const maxStepLength = 1.25

/** Measures around the estimate, which each level moves, until its interval is narrow enough. */
async function refine(
  attempt: (rate: number, kind: keyof Lengths) => Promise<boolean | null>,
  long: readonly RateTrial[],
  start: number,
  { share, precision, minLevels }: Required<Pick<RateSearchOptions, "share" | "precision" | "minLevels">>,
): Promise<void> {
  let centre = start
  for (let round = 0; ; round++) {
    const kept = await attempt(centre * (spread[round % spread.length] as number), "fullMs")
    if (kept === null) return
    const found = crossingRate(long, share)
    if (found && long.length >= minLevels && halfWidth(found) <= precision) return
    const wanted = found?.rate ?? centre * (kept ? maxStepLength : 1 / maxStepLength)
    centre = Math.min(centre * maxStepLength, Math.max(centre / maxStepLength, wanted))
  }
}

/** The first step from where a search begins; each is the square of the one before it, up to twice the rate. */
const firstStep = 1.25

/** Steps up or down until a good and a broken rate are known. */
async function bracket(
  attempt: (rate: number, kind: keyof Lengths) => Promise<boolean | null>,
  startRate: number,
  lowestRate: number,
): Promise<[number | null, number | null]> {
  let below: number | null = null
  let above: number | null = null
  let step = firstStep
  for (
    let rate = startRate;
    rate >= lowestRate && (below === null || above === null);
    step = Math.min(2, step * step)
  ) {
    const meets = await attempt(rate, "probeMs")
    if (meets === null) break
    if (meets) below = rate
    else above = rate
    rate = meets ? rate * step : rate / step
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
function lengthOf(
  trials: readonly RateTrial[],
  kind: keyof Lengths,
  { serviceMs, hasTypicalArrivals }: RateSearchOptions,
): number {
  const medians = [...(serviceMs === undefined ? [] : [serviceMs]), ...trials.flatMap(({ medianMs }) => medianMs ?? [])]
  const full = hasTypicalArrivals ? typicalServiceTimes : fullServiceTimes
  const wantedMs = Math.min(...medians, Number.MAX_VALUE) * (kind === "fullMs" ? full : probeServiceTimes)
  if (medians.length === 0) return minMs[kind]
  return Math.min(longestMs, Math.max(minMs[kind], wantedMs))
}
