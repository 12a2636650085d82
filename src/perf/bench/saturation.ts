import { type Figure, figureValue } from "../../core/report/figure.ts"

/** What a sweep reads of one level. @experimental */
export interface SweepLevel {
  readonly concurrency: number
  readonly throughput: Figure
  readonly sloAttainment: Figure
  /** Share of the started requests that must meet the SLO. */
  readonly sloShare: number
}

/** Where a sweep found its limit. @experimental */
export interface Saturation {
  /**
   * Smallest concurrency with at least 95 % of the best throughput; null when no throughput is known, or when the sweep
   * ended because the SLO broke while throughput still grew.
   */
  readonly concurrency: number | null
  readonly bestThroughput: number | null
  /** The concurrency that had it. */
  readonly bestAt: number | null
  /** Throughput at `concurrency`. */
  readonly throughputThere: number | null
  /** Levels that were too short to measure a throughput. */
  readonly shortLevels: readonly number[]
  /** Largest concurrency at which the SLO still held; null without an SLO, or when it never held. */
  readonly largestWithinSlo: number | null
  /** Whether throughput stopped growing; false means that the sweep ended before that. */
  readonly reached: boolean
  /** Smallest concurrency at which the SLO broke; null without an SLO, or where it held at every level. */
  readonly brokeSloAt: number | null
}

/** Throughput has stopped growing when doubling the concurrency adds less than this share. */
const smallestGrowth = 0.05

/**
 * The saturation point of a sweep: more requests in flight than that only wait for each other.
 *
 * @param levels in ascending order of concurrency
 * @experimental
 */
export function saturationOf(levels: readonly SweepLevel[]): Saturation {
  const rates = levels.flatMap(({ concurrency, throughput }) => {
    const value = figureValue(throughput)
    return value === null ? [] : [{ concurrency, value }]
  })
  const best = Math.max(...rates.map(({ value }) => value))
  const point = rates.find(({ value }) => value >= best * (1 - smallestGrowth))
  const broke = levels.findIndex(breaksSlo)
  const within = (broke < 0 ? levels : levels.slice(0, broke)).filter(
    ({ sloAttainment }) => figureValue(sloAttainment) !== null,
  )
  const reached = stoppedGrowing(levels)
  return {
    concurrency: broke >= 0 && !reached ? null : (point?.concurrency ?? null),
    throughputThere: point?.value ?? null,
    bestThroughput: rates.length > 0 ? best : null,
    bestAt: rates.find(({ value }) => value === best)?.concurrency ?? null,
    shortLevels: levels.flatMap(({ concurrency, throughput }) =>
      figureValue(throughput) === null ? [concurrency] : [],
    ),
    largestWithinSlo: within.at(-1)?.concurrency ?? null,
    reached,
    brokeSloAt: levels[broke]?.concurrency ?? null,
  }
}

/**
 * Whether a sweep may stop: its last level broke the SLO, or neither of its last two brought more throughput than the best
 * before them (a single slow level may be chance).
 */
export function isSaturated(levels: readonly SweepLevel[]): boolean {
  const last = levels.at(-1)
  return (last !== undefined && breaksSlo(last)) || stoppedGrowing(levels)
}

function breaksSlo({ sloAttainment, sloShare }: SweepLevel): boolean {
  const share = figureValue(sloAttainment)
  return share !== null && share < sloShare
}

function stoppedGrowing(levels: readonly SweepLevel[]): boolean {
  const rates = levels.flatMap(({ throughput }) => figureValue(throughput) ?? [])
  const before = rates.slice(0, -2)
  const best = Math.max(...before)
  return before.length > 0 && rates.slice(-2).every((value) => value < best * (1 + smallestGrowth))
}
