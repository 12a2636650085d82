import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { selectiveAccuracy } from "../../src/stats/calibration/ranking.ts"
import { calibrationMetric } from "./calibration-metric.ts"
import type { ConfidenceOptions, ConfidenceRow } from "./confidence.ts"

/** Points of the curve in the details. */
const points = 20

/**
 * Area under the risk–coverage curve: the share of wrong answers among the most confident ones, averaged over all
 * coverages. The price of answering only when confident; the details hold the curve and the excess over
 * the best order of the same answers.
 *
 * Range 0..1, lower is better. Source: Geifman and El-Yaniv 2017; excess: Geifman et al. 2019.
 *
 * Misleads across sets of different difficulty: fewer wrong answers make it smaller whatever the confidence is worth; the
 * excess in the details allows for that.
 *
 * @example
 * // confidences 0.9 (right), 0.6 (wrong), 0.5 (right): risks 0, 1/2, 1/3
 * riskCoverage() // 0.2778
 * @public
 */
export function riskCoverage(options: ConfidenceOptions = {}): Metric<ConfidenceRow> {
  checkOptions("riskCoverage", options)
  return calibrationMetric({
    options,
    name: "riskCoverage",
    facts: { ties: "expected" },
    direction: "lower",
    figure: (confidence, correct) => meanRisk(selectiveAccuracy(confidence, correct)),
    details: (confidence, correct) => {
      const accuracy = selectiveAccuracy(confidence, correct)
      const n = accuracy.length
      return {
        excess: meanRisk(accuracy) - meanRisk(selectiveAccuracy(correct, correct)),
        curve: Array.from({ length: Math.min(points, n) }, (_, i) => {
          const kept = Math.ceil(((i + 1) * n) / Math.min(points, n))
          return { coverage: kept / n, risk: 1 - (accuracy[kept - 1] as number) }
        }),
      }
    },
  })
}

function meanRisk(accuracy: Float64Array): number {
  return 1 - accuracy.reduce((sum, value) => sum + value, 0) / accuracy.length
}
