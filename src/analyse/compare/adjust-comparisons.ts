import type { Comparison, MetricComparison } from "../../core/report/comparison.ts"
import { adjustP } from "../../stats/tests/multiple-tests.ts"

/**
 * Adjusts the p-values of several comparisons of one run as the families that they are: Holm over the primary metrics of
 * all candidates (family-wise error), Benjamini–Hochberg over everything else (false discoveries). Verdicts are based on
 * margins and do not change.
 * @experimental
 */
export function adjustComparisons(comparisons: readonly Comparison[]): Comparison[] {
  const all = comparisons.flatMap(({ metrics }) => metrics)
  const adjusted = adjustedByMetric(all)
  return comparisons.map((comparison) => ({
    ...comparison,
    metrics: comparison.metrics.map((metric) => ({ ...metric, pAdjusted: adjusted.get(metric) ?? null })),
  }))
}

/** Adjusted p of each finding that has one. */
export function adjustedByMetric<Finding extends Pick<MetricComparison, "primary" | "p">>(
  findings: readonly Finding[],
): Map<Finding, number> {
  const result = new Map<Finding, number>()
  for (const [primary, correction] of [
    [true, "holm"],
    [false, "fdr_bh"],
  ] as const) {
    const family = findings.flatMap((finding) =>
      finding.primary === primary && finding.p !== null ? [{ finding, p: finding.p }] : [],
    )
    adjustP(
      family.map(({ p }) => p),
      correction,
    ).forEach((p, i) => {
      result.set((family[i] as (typeof family)[number]).finding, p)
    })
  }
  return result
}
