import type { Check } from "../core/report/report.ts"
import { driftMessages } from "../words/perf/speed.ts"
import { percentileFigure } from "./percentile.ts"

/** A check that also says by how much the latency changed. @experimental */
export interface DriftCheck extends Check {
  /** Last median / first median − 1; null where there are too few requests. */
  readonly change: number | null
}

/**
 * Did the endpoint or the machine change while it was measured? Compares the median latency of the first and the last
 * block, or of the two halves of a single one: a drift is a change of more than 5 % whose order-statistic intervals do not overlap.
 *
 * @param blocks end-to-end latencies in milliseconds, one list for each block, all in order of time
 */
export function driftCheck(blocks: readonly Float64Array[]): DriftCheck {
  const measured = blocks.filter((block) => block.length > 0)
  const [only] = measured
  const isHalved = measured.length === 1 && only !== undefined
  const half = isHalved ? only.length >> 1 : 0
  const parts = isHalved ? [only.subarray(0, half), only.subarray(half)] : measured
  const unit = isHalved ? "half" : "block"
  const [first, last] = [parts[0], parts.at(-1)].map((values) => percentileFigure(values?.slice().sort() ?? [], 50))
  if (first?.status !== "known" || last?.status !== "known")
    return { name: "drift", status: "unknown", message: driftMessages.fewRequests(unit), change: null }
  const words = driftMessages.medians(first.value, last.value, unit)
  if (first.low == null || first.high == null || last.low == null || last.high == null)
    return { name: "drift", status: "unknown", message: `${words}: ${driftMessages.fewRequests(unit)}`, change: null }
  const change = (last.value - first.value) / first.value
  const isSeparate = last.low > first.high || last.high < first.low
  const hasDrift = isSeparate && Math.abs(change) > largestDrift
  return { name: "drift", status: hasDrift ? "failed" : "passed", message: words, change }
}

const largestDrift = 0.05
