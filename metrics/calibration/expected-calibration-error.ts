import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { binOf, equalWidthEdges } from "../../src/stats/calibration/calibration-bins.ts"
import { debiasedExpectedGap, expectedGap } from "../../src/stats/calibration/calibration-gap.ts"
import { calibrationInterval } from "../../src/stats/calibration/calibration-interval.ts"
import { type BinnedCalibrationOptions, binnedDetails, binnedMetric, binning } from "./binned-calibration.ts"
import type { ConfidenceRow } from "./confidence.ts"

/**
 * Expected calibration error: how far an answer's confidence is from the share of right answers at that confidence,
 * averaged over answers. Bins are (lo, hi] with 0 in the first, as in Guo et al. 2017.
 *
 * Misleads with few answers: chance gaps make it too large. The details hold it `debiased`, and the interval allows for it.
 * It does not show whether confidence separates right from wrong answers (see {@link auroc}). Range 0..1, lower is better.
 * Source: Naeini et al. 2015; Guo et al. 2017.
 * Unscored: `no_confidence`, `no_correctness`.
 *
 * @example
 * // confidences 0.9 and 0.8, both right: bins (0.867, 0.933] and (0.733, 0.8] with gaps 0.1 and 0.2
 * expectedCalibrationError({ bins: 15 }) // 0.15
 * @public
 */
export function expectedCalibrationError(options: BinnedCalibrationOptions = {}): Metric<ConfidenceRow> {
  checkOptions("expectedCalibrationError", options)
  const { bins, scheme } = binning(options)
  return binnedMetric({
    options,
    name: "expectedCalibrationError",
    figure: expectedGap,
    details: (binned) => ({ ...binnedDetails(binned, scheme), debiased: debiasedExpectedGap(binned) }),
    ...(scheme === "width" && {
      aggregation: sumOverBins(bins),
      interval: (confidence, correct, keys, value, { alpha = 0.05 } = {}) =>
        calibrationInterval(confidence, correct, keys, value, { bins, seed: 1, alpha }) ?? undefined,
    }),
  })
}

/** Equal width only needs three sums per bin, so that resampling adds vectors and sorts nothing again. */
function sumOverBins(count: number): Metric<ConfidenceRow>["aggregation"] {
  const edges = equalWidthEdges(count)
  return {
    kind: "sum",
    size: 3 * count,
    vector(row, into, offset) {
      into.fill(0, offset, offset + 3 * count)
      const at = offset + 3 * binOf(row.confidence, edges)
      into[at] = 1
      into[at + 1] = row.confidence
      into[at + 2] = row.correct
    },
    score(sum) {
      let n = 0
      let gap = 0
      for (let at = 0; at < 3 * count; at += 3) {
        n += sum[at] as number
        gap += Math.abs((sum[at + 1] as number) - (sum[at + 2] as number))
      }
      return gap / n
    },
  }
}
