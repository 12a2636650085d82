import { UsageError } from "../../src/core/errors.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import {
  binOf,
  type CalibrationBin,
  equalMassBins,
  equalWidthBins,
  equalWidthEdges,
} from "../../src/stats/calibration/calibration-bins.ts"
import { averageGap, expectedGap, maximumGap, signedGaps } from "../../src/stats/calibration/calibration-gap.ts"
import { calibrationInterval } from "../../src/stats/calibration/calibration-interval.ts"
import { wilsonInterval } from "../../src/stats/intervals/proportion-interval.ts"
import { calibrationMetric } from "./calibration-metric.ts"
import type { ConfidenceOptions, ConfidenceRow } from "./confidence.ts"

/** Options of metrics that sort answers into bins of confidence. */
export interface BinnedCalibrationOptions extends ConfidenceOptions {
  /** Number of bins. Default 15. */
  readonly bins?: number
  /** Bins of equal width (default), or with equally many answers. */
  readonly scheme?: "width" | "mass"
}

/**
 * Expected calibration error: how far an answer's confidence is from the share of right answers at that confidence,
 * averaged over answers. Bins are (lo, hi] with 0 in the first, as in Guo et al. 2017.
 *
 * Misleads with few answers (chance gaps make it too large: see {@link debiasedCalibrationError}) and says nothing about
 * telling right from wrong (see {@link auroc}). Range 0..1, lower is better. Source: Naeini et al. 2015; Guo et al. 2017.
 * Unscored: `no_confidence`, `no_correctness`.
 *
 * @example
 * // confidences 0.9 and 0.8, both right: bins (0.867, 0.933] and (0.733, 0.8] with gaps 0.1 and 0.2
 * expectedCalibrationError({ bins: 15 }) // 0.15
 */
export function expectedCalibrationError(options: BinnedCalibrationOptions = {}): Metric<ConfidenceRow> {
  const { bins, scheme, cut } = binning(options)
  return calibrationMetric({
    options,
    name: "expectedCalibrationError",
    facts: { bins, scheme },
    direction: "lower",
    range: [0, 1],
    figure: (confidence, correct) => expectedGap(cut(confidence, correct)),
    details: (confidence, correct) => binnedDetails(cut(confidence, correct), scheme),
    ...(scheme === "width" && {
      aggregation: sumOverBins(bins),
      interval: (confidence, correct, keys, value) =>
        calibrationInterval(confidence, correct, keys, value, { bins, seed: 1 }) ?? undefined,
    }),
  })
}

/** The checked number of bins, the scheme, and the function that sorts answers into them. */
export function binning(options: BinnedCalibrationOptions): {
  readonly bins: number
  readonly scheme: "width" | "mass"
  cut(confidence: Float64Array, correct: Float64Array): CalibrationBin[]
} {
  const { bins = 15, scheme = "width" } = options
  if (!Number.isInteger(bins) || bins < 1 || bins > 10_000) {
    throw new UsageError(`bins must be a whole number from 1 to 10000, not ${bins}`, { where: "bins" })
  }
  const sort = scheme === "mass" ? equalMassBins : equalWidthBins
  return { bins, scheme, cut: (confidence, correct) => sort(confidence, correct, bins) }
}

/** The reliability diagram: bins with the interval of their accuracy, and the gaps in all norms. */
export function binnedDetails(bins: readonly CalibrationBin[], scheme: "width" | "mass") {
  const { over, under } = signedGaps(bins)
  return {
    scheme,
    maximumGap: maximumGap(bins),
    averageGap: averageGap(bins),
    overconfidence: over,
    underconfidence: under,
    bins: bins.map((bin) => {
      const interval = wilsonInterval(bin.accuracy * bin.n, bin.n)
      return { ...bin, accuracyLow: interval.low, accuracyHigh: interval.high }
    }),
  }
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
