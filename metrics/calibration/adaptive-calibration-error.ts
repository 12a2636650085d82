import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { averageGap } from "../../src/stats/calibration/calibration-gap.ts"
import { recipe } from "../text/recipe.ts"
import { type BinnedCalibrationOptions, binnedMetric } from "./binned-calibration.ts"
import type { ConfidenceRow } from "./confidence.ts"

/**
 * Adaptive calibration error of the given answers: the mean gap over bins that hold equally many answers, so that the
 * range with most answers gets finer bins. The form over all classes is {@link classwiseCalibrationError}.
 *
 * Range 0..1, lower is better. Source: Nixon et al. 2019, "Measuring Calibration in Deep Learning".
 *
 * Misleads with few answers, where chance gaps make it too large, and where many answers share one confidence.
 *
 * @example
 * // confidences 0.9 and 0.8, both right, two bins of one answer
 * adaptiveCalibrationError({ bins: 2 }) // (0.1 + 0.2) / 2 = 0.15
 * @public
 */
export function adaptiveCalibrationError(
  options: Omit<BinnedCalibrationOptions, "scheme"> = {},
): Metric<ConfidenceRow> {
  checkOptions("adaptiveCalibrationError", options)
  const metric = binnedMetric({
    options: { ...options, scheme: "mass" },
    name: "adaptiveCalibrationError",
    figure: averageGap,
  })
  return { ...metric, recipe: recipe("adaptiveCalibrationError", options) }
}
