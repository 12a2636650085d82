import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { debiasedRootMeanSquareGap, rootMeanSquareGap } from "../../src/stats/calibration/calibration-gap.ts"
import { type BinnedCalibrationOptions, binnedMetric } from "./binned-calibration.ts"
import type { ConfidenceRow } from "./confidence.ts"

/**
 * Debiased L2 calibration error: the root mean squared gap over bins, less what chance alone would put there. With few
 * answers the plain errors are too large even for a perfect model; this one is not. The plain error is in the details.
 *
 * Range 0..1, lower is better. Source: Kumar, Liang and Ma 2019, "Verified Uncertainty Calibration"; bins of equal mass by
 * default, as there.
 *
 * Misleads as every error over bins does: what rises and falls within a bin is not seen. The subtraction can end below 0; it is
 * 0 then.
 *
 * @example
 * // thirty answers of confidence 0.7, twenty-one right: no gap at all
 * debiasedCalibrationError() // 0
 * @public
 */
export function debiasedCalibrationError(options: BinnedCalibrationOptions = {}): Metric<ConfidenceRow> {
  checkOptions("debiasedCalibrationError", options)
  return binnedMetric({
    options: { scheme: "mass", ...options },
    name: "debiasedCalibrationError",
    facts: { norm: "l2" },
    figure: debiasedRootMeanSquareGap,
    details: (bins) => ({ plugin: rootMeanSquareGap(bins) }),
  })
}
