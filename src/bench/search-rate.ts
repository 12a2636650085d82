import type { RateSearch, RateTrial } from "../perf/bench/bench-result.ts"
import { wilsonInterval } from "../stats/intervals/proportion-interval.ts"
import { type CrossingRate, createCrossing, type MeasuredRate, type RateModel } from "./crossing-rate.ts"

/** Where a search begins and how fine it ends. @experimental */
export interface RateSearchOptions extends RateModel {
  readonly startRate: number
  /** The search ends when the rate is known this well, as a share of it. Default 0.05. */
  readonly precision?: number
  /** Levels before an estimate is believed. Default 7. */
  readonly minLevels?: number
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
  /** Length of a level, and what is left of the search, in milliseconds: a guess by what was seen so far. */
  readonly levelMs: number
  readonly leftMs: number
  /** The rate is wanted within this share of it. */
  readonly precision: number
  /** Null until it is known. */
  readonly found: CrossingRate | null
}

/**
 * A level lasts as long as this many answers one after the other, so many requests, and so long at least, in milliseconds; longer where less of
 * its luck is explained.
 */
const [serviceTimes, levelRequests, minMs] = [30, 200, 5_000]
/** Slow servers get more levels rather than longer ones; `--duration` sets another length. */
const longestMs = 120_000
/** Fewer requests do not estimate the share that meets the objectives. */
const minRequests = 60

/**
 * The highest rate that meets the objectives. Steps up or down until both sides are known and then measures around its estimate, no rate twice,
 * until that is as sure as asked for: {@link createCrossing} of all levels.
 *
 * @param tryRate measures one rate for so many milliseconds; null ends the search (interrupted)
 * @experimental
 */
export async function searchRate(
  tryRate: (ratePerSecond: number, durationMs: number) => Promise<MeasuredRate | null>,
  options: RateSearchOptions,
): Promise<RateSearch> {
  const { startRate, share, server, precision = 0.05, maxTrials = 32, lowestRate = startRate / 16, rival } = options
  const { minLevels = 7, onProgress } = options
  const trials: RateSearch["trials"][number][] = []
  const measured: MeasuredRate[] = []
  const crossingOf = createCrossing(options)
  let crossing: CrossingRate | null = null
  const durationOf = (rate: number) =>
    Math.max(
      Math.min(
        longestMs,
        Math.max(minMs, serviceTimes * server.serviceMs, (levelRequests / rate) * 1000) / (crossing?.explained ?? 1),
      ),
      (minRequests / rate) * 1000,
    )
  const isMissed = ({ attainment }: RateTrial) => (attainment?.share ?? share) < share
  const isKnown = (): boolean => {
    if (measured.length < minLevels) return false
    if (crossing) return halfWidth(crossing) <= precision
    const [good, broken] = seenLimits(trials)
    const isNarrow = good !== null && broken !== null && broken > good && broken < good * (1 + precision)
    return isNarrow && trials.some(isMissed)
  }
  const report = (rate: number) => {
    const levelMs = durationOf(rate)
    const needed = crossing ? Math.ceil(measured.length * (halfWidth(crossing) / precision) ** 2) : defaultLevels
    const levels = isKnown() ? 0 : Math.min(maxTrials, Math.max(minLevels, needed)) - measured.length
    onProgress?.({ levels: trials.length, levelMs, leftMs: Math.max(0, levels) * levelMs, precision, found: crossing })
  }
  const attempt = async (asked: number): Promise<boolean | null> => {
    if (trials.length >= maxTrials) return null
    const rate = untried(asked, trials)
    const level = await tryRate(rate, durationOf(rate))
    if (level === null) return null
    measured.push(level)
    const { requests: _, ...trial } = level
    const meetsSlo = keeps(trial, options)
    trials.push({ ...trial, meetsSlo })
    crossing = crossingOf(measured)
    report(rate)
    return meetsSlo
  }

  report(startRate)
  if (rival && (await attempt(rival.rate)) === false && isSurelyMissed(trials[0], share) && rival.isBeaten())
    return { rate: null, low: null, high: null, lowestBroken: rival.rate, isBeaten: true, trials }
  const [below, above] = await bracket(attempt, startRate, lowestRate)
  let centre = below !== null && above !== null ? Math.sqrt(below * above) : null
  for (let round = 0; centre !== null; round++) {
    const kept: boolean | null = isKnown() ? null : await attempt(centre * (spread[round % spread.length] as number))
    if (kept === null) break
    const [good, broken] = seenLimits(trials)
    const target: number =
      (crossing as CrossingRate | null)?.rate ?? (good !== null && broken !== null ? Math.sqrt(good * broken) : centre)
    centre = Math.min(centre * maxStepLength, Math.max(centre / maxStepLength, target))
  }
  const [good, broken] = seenLimits(trials)
  // A rate that broke the objectives below one that kept them bounds it from below.
  const [lowest, highest] = good !== null && broken !== null && broken < good ? [broken, good] : [good, broken]
  const result = crossing as CrossingRate | null
  return {
    rate: result?.rate ?? good,
    low: result?.low ?? lowest,
    high: result?.high ?? highest,
    lowestBroken: broken,
    trials,
  }
}

/** The highest rate that kept the objectives, and the lowest that broke them. */
function seenLimits(trials: RateSearch["trials"]): readonly [number | null, number | null] {
  const rates = (meets: boolean) =>
    trials.flatMap(({ meetsSlo, achievedRate }) => (meetsSlo === meets ? achievedRate : []))
  const [kept, missed] = [rates(true), rates(false)]
  return [kept.length > 0 ? Math.max(...kept) : null, missed.length > 0 ? Math.min(...missed) : null]
}

/** Levels of a search that knows nothing yet: for the time that it will take. */
const defaultLevels = 9
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
const spread = [1, 0.96, 1.04]
/** The estimate moves by this factor at most from one level to the next. */
const maxStepLength = 1.25

/** The first step from where a search begins; each is the square of the one before it, up to twice the rate. */
const firstStep = 1.25

/** Steps up or down until a good and a broken rate are known. */
async function bracket(
  attempt: (rate: number) => Promise<boolean | null>,
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
    const meets = await attempt(rate)
    if (meets === null) break
    if (meets) below = rate
    else above = rate
    rate = meets ? rate * step : rate / step
  }
  return [below, above]
}

/** Share of what a server was seen to carry up to which no queue grows for good: in a short level one may seem to. */
const carriedShare = 0.9

function keeps({ askedRate, attainment }: RateTrial, { share, server }: RateModel): boolean | null {
  const carriedRate = (carriedShare * 1000 * server.slots) / server.serviceMs
  return attainment && attainment.share >= share && !(attainment.queueGrows && askedRate > carriedRate)
}

/** Whether the share lies below what is wanted with the whole of its interval, or the queue grew. */
function isSurelyMissed(trial: RateTrial | undefined, share: number): boolean {
  if (!trial?.attainment) return false
  const { effectiveN, queueGrows, share: kept } = trial.attainment
  return queueGrows || wilsonInterval(kept * effectiveN, effectiveN, 0.05).high < share
}
