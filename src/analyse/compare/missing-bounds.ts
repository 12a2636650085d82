import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { MetricComparison } from "../../core/report/comparison.ts"
import type { AlignedRows } from "../../rows/align.ts"
import { pairsBehind } from "../../rows/pair-columns.ts"

/**
 * What the missing scores could do to the difference: every score that one side lacks is taken as the worst (best) for
 * the candidate. Null where the metric has no bounds, or is not a mean over samples.
 *
 * @param failedBoth answers that failed on both sides: they count alike on both
 */
export function missingBounds(
  metric: AnyMetric,
  aligned: AlignedRows,
  failedBoth: number,
): Pick<MetricComparison["missing"], "onlyBaseline" | "onlyCandidate" | "worstCase" | "bestCase"> {
  const { onlyBaseline, onlyCandidate, pairs } = aligned
  const counts = { onlyBaseline: onlyBaseline.length, onlyCandidate: onlyCandidate.length }
  const [least, most] = metric.range
  const total = pairs.length + onlyBaseline.length + onlyCandidate.length + failedBoth
  if (metric.aggregation.kind !== "mean" || !Number.isFinite(most - least) || total === 0)
    return { ...counts, worstCase: null, bestCase: null }
  let gain = 0
  const { baseline, candidate } = pairsBehind(pairs)
  for (let pair = 0; pair < pairs.length; pair++)
    gain += valueOr0(candidate.values[pair]) - valueOr0(baseline.values[pair])
  const bound = (missing: number, partner: number) =>
    (gain + sum(onlyCandidate) + onlyBaseline.length * missing - sum(onlyBaseline) - onlyCandidate.length * partner) /
    total
  const [worst, best] = metric.direction === "higher" ? [least, most] : [most, least]
  return { ...counts, worstCase: bound(worst, best), bestCase: bound(best, worst) }
}

function sum(rows: readonly MetricRow[]): number {
  return rows.reduce((total, row) => total + (row.value ?? 0), 0)
}

function valueOr0(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value
}
