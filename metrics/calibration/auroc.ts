import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { areaUnderRoc, averagePrecision } from "../../src/stats/calibration/ranking.ts"
import { calibrationMetric } from "./calibration-metric.ts"
import type { ConfidenceOptions, ConfidenceRow } from "./confidence.ts"

/**
 * Area under the ROC curve of confidence: the probability that a right answer is more confident than a wrong one. Whether
 * a threshold on confidence can separate them, independent of calibration.
 *
 * Range 0..1, higher is better; 0.5 is chance. Undefined unless there are both right and wrong answers. Average precision
 * is in the details.
 *
 * Misleads with few wrong answers: their order alone decides it, and the interval is wide. Source: Hanley & McNeil 1982.
 *
 * @example
 * // right: 0.9 and 0.5; wrong: 0.6
 * auroc() // 0.5
 * @public
 */
export function auroc(options: ConfidenceOptions = {}): Metric<ConfidenceRow> {
  checkOptions("auroc", options)
  return calibrationMetric({
    options,
    name: "auroc",
    facts: { ties: "half" },
    direction: "higher",
    figure: areaUnderRoc,
    undefinedReason: "needs both right and wrong answers",
    details: (confidence, correct) => {
      const precision = averagePrecision(confidence, correct)
      return { averagePrecision: Number.isFinite(precision) ? precision : null }
    },
  })
}
