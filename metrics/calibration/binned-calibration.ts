import { UsageError } from "../../src/core/errors.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { type CalibrationBin, equalMassBins, equalWidthBins } from "../../src/stats/calibration/calibration-bins.ts"
import { averageGap, maximumGap, signedGaps } from "../../src/stats/calibration/calibration-gap.ts"
import { wilsonInterval } from "../../src/stats/intervals/proportion-interval.ts"
import { type CalibrationMetricOptions, calibrationMetric } from "./calibration-metric.ts"
import type { ConfidenceOptions, ConfidenceRow } from "./confidence.ts"

/** Options of metrics that sort answers into bins of confidence. @experimental */
export interface BinnedCalibrationOptions extends ConfidenceOptions {
  /** Number of bins. Default 15. */
  readonly bins?: number
  /** Bins of equal width (default), or with equally many answers. */
  readonly scheme?: "width" | "mass"
}

/** What a metric of binned calibration states; the rest is filled in. */
export interface BinnedMetricOptions
  extends Partial<Omit<CalibrationMetricOptions, "options" | "figure" | "details" | "name">> {
  readonly options: BinnedCalibrationOptions
  readonly name: string
  /** The figure of the bins. */
  figure(bins: readonly CalibrationBin[]): number
  /** Default: the reliability diagram. */
  details?(bins: readonly CalibrationBin[]): ReturnType<NonNullable<CalibrationMetricOptions["details"]>>
}

/** A metric over answers sorted into bins of confidence; lower is better. */
export function binnedMetric({ options, name, facts, figure, ...rest }: BinnedMetricOptions): Metric<ConfidenceRow> {
  const { bins, scheme, cut } = binning(options)
  const details = rest.details ?? ((binned: readonly CalibrationBin[]) => binnedDetails(binned, scheme))
  return calibrationMetric({
    direction: "lower",
    ...rest,
    options,
    name,
    facts: { bins, scheme, ...facts },
    figure: (confidence, correct) => figure(cut(confidence, correct)),
    details: (confidence, correct) => details(cut(confidence, correct)),
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
