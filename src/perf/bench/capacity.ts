import { figureValue } from "../../core/report/figure.ts"
import type { BenchLevel } from "./bench-level.ts"
import type { RateSearch } from "./bench-result.ts"
import { lateWorkers } from "./load-worker.ts"
import { type Slo, sloShare } from "./slo.ts"

/** The largest load within the objectives. @experimental */
export interface Capacity {
  /** Answered requests a second, with their interval at 95 %; a null bound was never seen. */
  readonly requestsPerSecond: number
  readonly low: number | null
  readonly high: number | null
  /** The level that it was measured at; of a searched rate the one nearest to it that kept the objectives. */
  readonly level: BenchLevel
}

/**
 * The largest load at which a variant keeps its objectives: the rate that a search found, else the level with the most requests a second
 * of those below the first that misses them. The client's own error only adds to times: it can make a capacity smaller, never larger.
 *
 * @param levels of one variant
 * @returns null without objectives, and where no level is known to keep them
 */
export function capacityOf(levels: readonly BenchLevel[], slo: readonly Slo[], search?: RateSearch): Capacity | null {
  if (slo.length === 0) return null
  const keeps = ({ sloAttainment, attainment }: BenchLevel) =>
    (figureValue(sloAttainment) ?? 0) >= sloShare(slo) && attainment?.queueGrows !== true
  const sorted = levels.filter((level) => lateWorkers(level).length === 0).toSorted((a, b) => loadOf(a) - loadOf(b))
  if (search) {
    const { rate } = search
    const low = search.low || null
    const high = search.high !== null && Number.isFinite(search.high) ? search.high : null
    const limit =
      rate === null ? undefined : sorted.filter((level) => keeps(level) && loadOf(level) <= 1.02 * rate).at(-1)
    return rate === null || !limit ? null : { requestsPerSecond: rate, low, high, level: limit }
  }
  const first = sorted.findIndex((level) => !keeps(level))
  const within = (first < 0 ? sorted : sorted.slice(0, first)).flatMap((level) => {
    const rate = level.speed.requestsPerSecond
    const { low = null, high = null } = rate.status === "known" ? rate : {}
    return rate.status === "known" ? [{ requestsPerSecond: rate.value, low, high, level }] : []
  })
  return within.toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond)[0] ?? null
}

/** Slots or requests a second: a bench has one kind of loop. */
function loadOf({ plan, offeredRate }: BenchLevel): number {
  return plan.kind === "closed" ? plan.concurrency : (offeredRate ?? 0)
}
