import type { MetricDesign } from "../../core/report/comparison.ts"
import type { PairedEstimate, PairedEstimator } from "../../estimate/paired-estimate.ts"
import type { RowPair } from "../../rows/align.ts"
import type { LookLevels } from "../../stats/sequential/look-levels.ts"
import { stagedLevelLeft, stagedLowerBound } from "../../stats/sequential/staged-bound.ts"
import { methods } from "../../wording/methods.ts"
import { counted } from "../../words/number.ts"
import { type Bet, type BetQuestion, betOn } from "./bet-on.ts"
import { type CandidateDesign, type CandidateLooks, levelOf, type Stages } from "./reading.ts"

/** Makes the estimates of a metric over some pairs at any level; null where there is no figure. */
export type EstimatorOf = (pairs: readonly RowPair[]) => PairedEstimator | null

/** What an estimate is read by. */
export interface ReadOptions {
  /** Of the two-sided interval. */
  readonly alpha: number
  /** Error rate of each one-sided bound, over all readings of the run. */
  readonly share: number
  readonly reading: CandidateDesign | null
  /** What a candidate must show, for a bound by betting at planned looks; null where a metric has no such bound. */
  readonly question: BetQuestion | null
}

/**
 * The paired estimate with the one-sided bounds of its design: at the share itself where the run is read once, at the look's
 * level where looks were planned, with a bound by betting beside it, and from all stages together where the run was extended, and where a run is read more than
 * once, the two-sided interval holds the bounds.
 */
export function readEstimate(
  pairs: readonly RowPair[],
  estimatorOf: EstimatorOf,
  { alpha, share, reading, question }: ReadOptions,
): PairedEstimate | null {
  const estimator = estimatorOf(pairs)
  if (!estimator) return null
  const estimate = estimator.at(alpha)
  if (reading?.kind === "stages" && reading.samples.length > 1)
    return extended(estimate, stageBounds(pairs, reading, estimatorOf), { share, more: reading.more })
  const level = levelOf(reading, share)
  if (reading?.kind === "looks" && question) {
    const bet = betOn(pairs, reading, { ...question, share })
    if (bet) return atLook(holding(withBet(estimator, estimate, bet, question.side, level)), reading, level / share)
  }
  if (level === alpha) return estimate
  const { lowBound, highBound } = estimator.at(level)
  const bounds = { ...estimate, lowBound, highBound }
  if (reading === null) return bounds
  return reading.kind === "looks" ? atLook(holding(bounds), reading, level / share) : holding(bounds)
}

/** The bounds of a look where the side that must be shown has a bound by betting beside the one of the look's level. */
function withBet(
  estimator: PairedEstimator,
  estimate: PairedEstimate,
  { bound, levels }: Bet,
  side: "lower" | "upper",
  level: number,
): PairedEstimate {
  const [shown, other] = [estimator.at(levels.spent), estimator.at(level)]
  const named = { ...estimate, method: methods.withBetting(estimate.method), levels }
  return side === "lower"
    ? { ...named, lowBound: Math.max(bound, shown.lowBound ?? bound), highBound: other.highBound }
    : { ...named, highBound: Math.min(bound, shown.highBound ?? bound), lowBound: other.lowBound }
}

/** What a reader is told of the design that decided; absent where the run was read once. */
export function designOf(reading: CandidateDesign | null, share: number, levels?: LookLevels): MetricDesign | null {
  if (reading === null) return null
  if (reading.kind === "looks") {
    const { samples, look } = reading
    const bet = levels?.betting == null ? {} : { betting: levels.betting }
    return {
      kind: "looks",
      samples,
      reading: look + 1,
      level: levels?.spent ?? levelOf(reading, share),
      ...bet,
      more: false,
    }
  }
  const { samples, more } = reading
  let total = 0
  const readings = samples.map(({ size }) => (total += size))
  return {
    kind: "stages",
    samples: readings,
    reading: readings.length,
    level: readings.length === 1 ? levelOf(reading, share) : null,
    more,
  }
}

/**
 * One-sided level that is left for samples that are asked next, on the side of −margin (`lower`) or of what lies above it;
 * null where the run may not be extended, or where nothing is left.
 */
export function levelForMore(
  pairs: readonly RowPair[],
  estimatorOf: EstimatorOf,
  reading: CandidateDesign | null,
  question: { readonly share: number; readonly mean: number; readonly side: "lower" | "upper" },
): number | null {
  if (reading?.kind !== "stages" || !reading.more) return null
  const { lower, upper } = stageBounds(pairs, reading, estimatorOf)
  const { share, mean, side } = question
  const left =
    side === "lower"
      ? stagedLevelLeft(lower, mean, { alpha: share })
      : stagedLevelLeft(upper.map(mirrored), -mean, { alpha: share })
  return left !== null && left > minLevel ? left : null
}

/** Less is no level that anybody could plan with. */
const minLevel = 1e-6

type BoundByLevel = (level: number) => number

interface StageBounds {
  readonly lower: readonly BoundByLevel[]
  readonly upper: readonly BoundByLevel[]
  /** Pairs of new samples whose cluster had been read before: they are no new evidence. */
  readonly left: number
}

/** The bounds of each stage's own pairs. A later stage leaves out clusters that an earlier one has read. */
function stageBounds(pairs: readonly RowPair[], { samples }: Stages, estimatorOf: EstimatorOf): StageBounds {
  const readClusters = new Set<string>()
  let left = 0
  const stages = samples.map((ids) => {
    const added = pairs.filter(({ sampleId }) => ids.has(sampleId))
    const own = added.filter(({ cluster }) => cluster === undefined || !readClusters.has(cluster))
    left += added.length - own.length
    for (const { cluster } of added) if (cluster !== undefined) readClusters.add(cluster)
    const estimator = estimatorOf(own)
    const estimates = new Map<number, PairedEstimate>()
    return (level: number): PairedEstimate | null => {
      if (!estimator) return null
      let estimate = estimates.get(level)
      if (!estimate) {
        estimate = estimator.at(level)
        estimates.set(level, estimate)
      }
      return estimate.abstain === undefined ? estimate : null
    }
  })
  return {
    lower: stages.map((stage) => (level) => stage(level)?.lowBound ?? Number.NEGATIVE_INFINITY),
    upper: stages.map((stage) => (level) => stage(level)?.highBound ?? Number.POSITIVE_INFINITY),
    left,
  }
}

function extended(
  estimate: PairedEstimate,
  { lower, upper, left }: StageBounds,
  { share, more }: { readonly share: number; readonly more: boolean },
): PairedEstimate {
  const options = { alpha: share, more }
  const low = stagedLowerBound(lower, options)
  const high = -stagedLowerBound(upper.map(mirrored), options)
  const leftOut = left === 0 ? "" : methods.leftOutPairs(counted(left, "pair"))
  return holding({
    ...estimate,
    lowBound: Number.isFinite(low) ? low : null,
    highBound: Number.isFinite(high) ? high : null,
    // A test as if the number of samples had been fixed would say too much.
    p: null,
    method: methods.extended(estimate.method, lower.length, leftOut),
  })
}

/** A p that is at most alpha exactly where the one of a fixed number of samples is at most the look's level. */
function atLook(estimate: PairedEstimate, { look, samples }: CandidateLooks, ratio: number): PairedEstimate {
  const p = estimate.p === null ? null : Math.min(1, estimate.p / ratio)
  return { ...estimate, p, method: methods.atLook(estimate.method, look + 1, samples.length) }
}

function holding(estimate: PairedEstimate): PairedEstimate {
  const { low, high, lowBound, highBound } = estimate
  return {
    ...estimate,
    low: low === null || lowBound === null ? null : Math.min(low, lowBound),
    high: high === null || highBound === null ? null : Math.max(high, highBound),
  }
}

function mirrored(upper: BoundByLevel): BoundByLevel {
  return (level) => -upper(level)
}
