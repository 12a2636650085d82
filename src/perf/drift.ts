import type { Check } from "../core/report/report.ts"
import { driftMessages } from "../words/perf/speed.ts"
import { percentileFigure } from "./percentile.ts"

/**
 * Did the endpoint or the machine change while it was measured? Compares the median latency of the first and the last
 * block: a drift is a change of more than 5 % whose order-statistic intervals do not overlap.
 *
 * @param blocks end-to-end latencies in milliseconds, one list for each block in order of time
 */
export function driftCheck(blocks: readonly Float64Array[]): Check {
  const medians = blocks.filter((block) => block.length > 0).map((block) => percentileFigure(block.slice().sort(), 50))
  const first = medians[0]
  const last = medians.at(-1)
  if (medians.length < 2 || first?.status !== "known" || last?.status !== "known")
    return { name: "drift", status: "unknown", message: driftMessages.singleBlock }
  const change = (last.value - first.value) / first.value
  const words = driftMessages.medians(first.value, last.value)
  if (first.low == null || first.high == null || last.low == null || last.high == null)
    return { name: "drift", status: "unknown", message: driftMessages.fewRequests(words) }
  const apart = last.low > first.high || last.high < first.low
  const hasDrift = apart && Math.abs(change) > largestDrift
  return { name: "drift", status: hasDrift ? "failed" : "passed", message: words }
}

const largestDrift = 0.05
