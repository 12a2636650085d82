import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { maximumGap } from "../../src/stats/calibration/calibration-gap.ts"
import { type BinnedCalibrationOptions, binnedMetric } from "./binned-calibration.ts"
import type { ConfidenceRow } from "./confidence.ts"

/**
 * Maximum calibration error: the largest gap between confidence and accuracy of any bin: the worst case.
 *
 * Misleads with few answers: a bin of one answer has a gap near 0 or 1; `scheme: "mass"` guards against it.
 * Range 0..1, lower is better. Source: Naeini et al. 2015; Guo et al. 2017.
 *
 * @example
 * // confidences 0.9 and 0.8, both right
 * maximumCalibrationError() // 0.2
 * @public
 */
export function maximumCalibrationError(options: BinnedCalibrationOptions = {}): Metric<ConfidenceRow> {
  checkOptions("maximumCalibrationError", options)
  return binnedMetric({ options, name: "maximumCalibrationError", figure: maximumGap })
}
