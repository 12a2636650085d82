import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { type DecisionOptions, decisionMetric } from "./decision-metric.ts"
import { type DecisionRow, shareOfLargest, spread } from "./group-rates.ts"

/**
 * Equalised odds: whether errors are equally frequent in all groups. The larger of the gaps in true-positive and in false-positive
 * rates (difference), the smaller of their ratios (ratio).
 *
 * Misleads with few positives or negatives in a group: fairlearn counts a rate over no cases as 0, and so does this; such
 * groups are named in the details. Where no group has a true positive the ratio is undefined; where none has a false positive
 * it is the true positives' alone. Range 0..1; difference: 0 is even; ratio: 1 is even.
 * Source: Hardt et al. 2016; fairlearn's equalized_odds_difference and _ratio. Unscored: `no_group`, `no_label`.
 *
 * @example
 * // true-positive rates 0.9 and 0.6, false-positive rates 0.1 and 0.2
 * equalizedOdds({ as: "difference" }) // 0.3
 * @public
 */
export function equalizedOdds(options: DecisionOptions = {}): Metric<DecisionRow> {
  checkOptions("equalizedOdds", options)
  return decisionMetric(
    {
      name: "equalizedOdds",
      title: "equalized odds",
      definition: "true-positive,false-positive",
      needsLabel: true,
      rates: [
        { name: "true positives", counts: ({ label }) => label === true },
        { name: "false positives", counts: ({ label }) => label === false },
      ],
      figure(rates, as) {
        const hits = rates.map(({ truePositiveRate }) => truePositiveRate)
        const alarms = rates.map(({ falsePositiveRate }) => falsePositiveRate)
        if (as === "difference") return Math.max(spread(hits), spread(alarms))
        const [hitRatio, alarmRatio] = [shareOfLargest(hits), shareOfLargest(alarms)]
        return Number.isNaN(alarmRatio) ? hitRatio : Math.min(hitRatio, alarmRatio)
      },
    },
    options,
  )
}
