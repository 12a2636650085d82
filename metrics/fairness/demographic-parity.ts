import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { type DecisionOptions, decisionMetric } from "./decision-metric.ts"
import { type DecisionRow, shareOfLargest, spread } from "./group-rates.ts"

/**
 * Demographic parity: how far apart the groups' rates of positive decisions are, whatever the labels are.
 *
 * Misleads where the groups differ in the labels: equal rates are then no sign of fairness (see {@link equalizedOdds}). Range 0..1;
 * difference: 0 is even; ratio: 1 is even. Source: fairlearn's demographic_parity_difference and _ratio.
 * Unscored: `no_group`.
 *
 * @example
 * // group a selects 1 of 2, group b 1 of 4
 * demographicParity({ as: "difference" }) // 0.25
 * @public
 */
export function demographicParity(options: DecisionOptions = {}): Metric<DecisionRow> {
  checkOptions("demographicParity", options)
  return decisionMetric(
    {
      name: "demographicParity",
      title: "demographic parity",
      definition: "selection",
      needsLabel: false,
      rates: [{ name: "selected", counts: () => true }],
      figure(rates, as) {
        const selection = rates.map(({ selectionRate }) => selectionRate)
        return as === "difference" ? spread(selection) : shareOfLargest(selection)
      },
    },
    options,
  )
}
