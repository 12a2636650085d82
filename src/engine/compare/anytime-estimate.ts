import type { AnyMetric } from "../../core/metric/metric.ts"
import { anytimeInterval } from "../../stats/sequential/anytime-interval.ts"
import { stoppingObstacle } from "../run/early-stopping.ts"
import type { RowPair } from "./align.ts"
import type { PairedEstimate } from "./paired-estimate.ts"
import { sampleDifferences } from "./sample-differences.ts"

/** How a run was looked at while it went on, and might have stopped at every look. */
export interface SequentialDesign {
  /** Sample ids in the order in which they were asked. */
  readonly order: readonly string[]
  /** Comparisons (candidates × primary metrics) that share the error rate. */
  readonly comparisons: number
}

/**
 * A paired estimate of a run that may have stopped on what it saw: the difference as before, with the interval, the bounds
 * and the p of a confidence sequence, which hold at every look. Null where none can be made (a corpus metric, or one
 * without a smallest and largest value): its interval is that of a fixed number of samples, and its method says so.
 */
export function anytimeEstimate(
  metric: AnyMetric,
  pairs: readonly RowPair[],
  estimate: PairedEstimate,
  { order, alpha }: { readonly order: readonly string[]; readonly alpha: number },
): PairedEstimate {
  if (stoppingObstacle(metric) !== null)
    return { ...estimate, method: `${estimate.method}; as if the number of samples had been fixed` }
  const differences = new Map(sampleDifferences(pairs).map((entry) => [entry.sampleId, entry.difference]))
  const observed = order.flatMap((id) => differences.get(id) ?? [])
  const width = metric.range[1] - metric.range[0]
  const { low, high, p } = anytimeInterval(observed, { range: [-width, width], alpha })
  const level = Number(((1 - alpha) * 100).toFixed(2))
  return {
    ...estimate,
    low,
    high,
    lowBound: low,
    highBound: high,
    p,
    method: `paired mean, ${level} % confidence sequence by betting over ${observed.length} samples in the order in which they were asked, valid at every look`,
  }
}
