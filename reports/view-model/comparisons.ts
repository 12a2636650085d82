import type { Comparison, MetricComparison } from "../../src/core/report/comparison.ts"
import type { RunReport } from "../../src/core/report/report.ts"

/** The comparison that the run's answer is about; the first one of older reports, which do not say. */
export function decidingComparison({ decision, comparisons }: RunReport): Comparison | null {
  const name = decision?.about
  return comparisons.find((comparison) => comparison.candidate === name) ?? comparisons[0] ?? null
}

/** The primary metric that made the verdict: the one that lost, else the one that is open, else the first. */
export function decidingMetric(comparison: Comparison): MetricComparison | null {
  const primary = comparison.metrics.filter((metric) => metric.primary)
  const because = comparison.verdict === "inconclusive" ? "inconclusive" : "inferior"
  return primary.find((metric) => metric.verdict === because) ?? primary[0] ?? null
}
