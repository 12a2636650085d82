import type { AnyMetric } from "../../core/metric/metric.ts"

/** How a margin is meant: in the metric's own `unit`, as it was written, or as a `share` of the metric's scale. @experimental */
export type MarginKind = "unit" | "share"

/** A margin and how it is meant. */
export interface MarginSetting {
  readonly margin: number
  /** `unit` by default. */
  readonly marginKind?: MarginKind
}

/**
 * The largest loss that still counts as "not worse", in the metric's own unit. A share is one of the range where the metric
 * has two ends (1 % of BLEU is 1), else of the baseline's own figure (1 % of a perplexity of 6,881 is 68.8).
 *
 * @param baseline the baseline's figure; null when it has none
 */
export function marginFor(
  metric: Pick<AnyMetric, "range">,
  { margin, marginKind = "unit" }: MarginSetting,
  baseline: number | null,
): number {
  if (marginKind === "unit") return margin
  const width = metric.range[1] - metric.range[0]
  return margin * (Number.isFinite(width) ? width : Math.abs(baseline ?? 0))
}
