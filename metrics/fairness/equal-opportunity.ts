import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { type DecisionOptions, decisionMetric } from "./decision-metric.ts"
import { type DecisionRow, shareOfLargest, spread } from "./group-rates.ts"

/**
 * Equal opportunity: whether the cases that should get the positive outcome get it equally often in every group (true-positive rates).
 *
 * Does not cover false positives: see {@link equalizedOdds}. Range 0..1; difference: 0 is even; ratio: 1 is even.
 * Source: Hardt et al. 2016. Unscored: `no_group`, `no_label`.
 *
 * @example
 * // true-positive rates 0.9 and 0.6
 * equalOpportunity({ as: "difference" }) // 0.3
 * @public
 */
export function equalOpportunity(options: DecisionOptions = {}): Metric<DecisionRow> {
  checkOptions("equalOpportunity", options)
  return decisionMetric(
    {
      name: "equalOpportunity",
      title: "equal opportunity",
      definition: "true-positive",
      needsLabel: true,
      rates: [{ name: "true positives", counts: ({ label }) => label === true }],
      figure(rates, as) {
        const hits = rates.map(({ truePositiveRate }) => truePositiveRate)
        return as === "difference" ? spread(hits) : shareOfLargest(hits)
      },
    },
    options,
  )
}
