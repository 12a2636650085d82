import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { equalWidthBins } from "../../src/stats/calibration/calibration-bins.ts"
import { brierDecomposition, squaredError } from "../../src/stats/calibration/scoring-rules.ts"
import { calibrationMetric } from "./calibration-metric.ts"
import type { ConfidenceOptions, ConfidenceRow } from "./confidence.ts"
import { meanOver } from "./mean-over.ts"

/** Bins of the decomposition in the details. */
const decompositionBins = 10

/**
 * Brier score: mean squared distance between confidence and truth (1 right, 0 wrong). A proper score: it rewards both
 * honest confidence and separating right from wrong answers; the details split it into reliability, resolution and uncertainty.
 *
 * Misleads when compared across data sets of different difficulty (the uncertainty part is the data's own).
 * Range 0..1, lower is better. Source: Brier 1950; decomposition: Murphy 1973, over ten bins of equal width.
 *
 * @example
 * // confidences 0.9 (right) and 0.6 (wrong)
 * brier() // (0.1² + 0.6²) / 2 = 0.185
 * @public
 */
export function brier(options: ConfidenceOptions = {}): Metric<ConfidenceRow> {
  checkOptions("brier", options)
  return calibrationMetric({
    options,
    name: "brier",
    direction: "lower",
    value: (row) => squaredError(row.confidence, row.correct),
    figure: meanOver(squaredError),
    details: (confidence, correct) => ({
      ...brierDecomposition(equalWidthBins(confidence, correct, decompositionBins)),
    }),
  })
}
