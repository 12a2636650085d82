import { createRandom } from "../../core/random.ts"
import { counted } from "../../words/number.ts"
import { statisticMethods } from "../../words/reasons/statistics.ts"
import { clusterRobustMean } from "../intervals/cluster-robust.ts"
import { groupUnits } from "../resampling/units.ts"
import { binOf, equalWidthEdges } from "./calibration-bins.ts"

const draws = 1000
const halvings = 24

/** An interval and how it was made. @public */
export interface CalibrationInterval {
  readonly low: number
  readonly high: number
  readonly method: string
}

/** The gaps of the bins, confidence less accuracy as shares of all answers, and how far chance moves them. */
interface Gaps {
  readonly gaps: Float64Array
  /** Standard deviation of each gap if the model is perfectly calibrated, and as it was seen. */
  readonly ifCalibrated: Float64Array
  readonly asSeen: Float64Array
}

/**
 * Interval of the expected calibration error over bins of equal width. Chance puts gaps into every bin, so that the error of a
 * sample is too large even for a perfect model; the bounds are the errors for which the one seen would be too large or too
 * small in alpha / 2 of seeded draws, all gaps scaled alike. The lower bound is 0 unless a perfectly calibrated model would
 * show such an error in less than alpha of draws, so that 0 is held for a calibrated model in 1 − alpha of samples. The interval
 * is extended to the figure where it would leave it out. Null for fewer than two units.
 *
 * @param keys unit of each answer (its sample, or its cluster), which widen the draws where answers share one
 * @param value the error of the answers themselves
 * @public
 */
export function calibrationInterval(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  keys: readonly string[],
  value: number,
  options: { readonly bins: number; readonly seed: number | string; readonly alpha?: number },
): CalibrationInterval | null {
  const { bins, seed, alpha = 0.05 } = options
  const residuals = Float64Array.from(confidence, (c, i) => c - (correct[i] as number))
  const { sums, sizes, single } = groupUnits(residuals, keys)
  if (sums.length < 2) return null
  const gaps = gapsOf(confidence, correct, bins, single ? 1 : spreadByUnits(residuals, sums, sizes))
  const random = createRandom(`${seed}/calibration`)
  const noise = Float64Array.from({ length: draws * bins }, () => random.normal())
  const calibrated = exceeds(gaps, noise, 0, gaps.ifCalibrated, value)
  // The scale of the gaps at which the share of larger errors is `share`: it rises with the scale.
  const scaleAt = (share: number) => {
    let low = 0
    let high = 1
    while (exceeds(gaps, noise, high, gaps.asSeen, value) < share && high < 64) high *= 2
    for (let step = 0; step < halvings; step++) {
      const middle = (low + high) / 2
      if (exceeds(gaps, noise, middle, gaps.asSeen, value) < share) low = middle
      else high = middle
    }
    return (low + high) / 2
  }
  const low = calibrated >= alpha ? 0 : scaleAt(alpha / 2) * value
  const high = scaleAt(1 - alpha / 2) * value
  const over = counted(sums.length, single ? "sample" : "unit")
  return {
    low: Math.min(value, low),
    high: Math.min(1, Math.max(value, high, unseen(gaps))),
    method: statisticMethods.testInversion(over, draws, seed),
  }
}

/** What chance alone may show: the mean error of a calibrated model, below which nothing can be told from 0. */
function unseen({ ifCalibrated }: Gaps): number {
  return Math.sqrt(2 / Math.PI) * ifCalibrated.reduce((sum, deviation) => sum + deviation, 0)
}

function gapsOf(confidence: ArrayLike<number>, correct: ArrayLike<number>, bins: number, factor: number): Gaps {
  const edges = equalWidthEdges(bins)
  const n = confidence.length
  const size = new Float64Array(bins)
  const claimed = new Float64Array(bins)
  const right = new Float64Array(bins)
  const variance = new Float64Array(bins)
  const squares = new Float64Array(bins)
  for (let i = 0; i < n; i++) {
    const c = confidence[i] as number
    const bin = binOf(c, edges)
    size[bin]! += 1
    claimed[bin]! += c
    right[bin]! += correct[i] as number
    variance[bin]! += c * (1 - c)
    squares[bin]! += (c - (correct[i] as number)) ** 2
  }
  return {
    gaps: claimed.map((sum, bin) => (sum - (right[bin] as number)) / n),
    ifCalibrated: variance.map((v) => (factor * Math.sqrt(v)) / n),
    asSeen: size.map((count, bin) => {
      if (count === 0) return 0
      // One more answer that is as right as was claimed keeps a bin without any error from being certain.
      const rate = ((right[bin] as number) + (claimed[bin] as number) / count) / (count + 1)
      return (factor * Math.sqrt(Math.max(squares[bin] as number, count * rate * (1 - rate)))) / n
    }),
  }
}

/** How much larger the error of the mean residual is because answers share units; at least 1. */
function spreadByUnits(residuals: Float64Array, sums: Float64Array, sizes: Float64Array): number {
  const clustered = clusterRobustMean(sums, sizes)
  const own = clusterRobustMean(residuals, new Float64Array(residuals.length).fill(1))
  return clustered && own && own.error > 0 ? Math.max(1, clustered.error / own.error) : 1
}

/** Share of the draws whose error is at least `value` when the gaps are scaled and moved by noise. */
function exceeds({ gaps }: Gaps, noise: Float64Array, scale: number, deviations: Float64Array, value: number): number {
  const bins = gaps.length
  let count = 0
  for (let draw = 0; draw < draws; draw++) {
    let total = 0
    for (let bin = 0; bin < bins; bin++)
      total += Math.abs(
        scale * (gaps[bin] as number) + (deviations[bin] as number) * (noise[draw * bins + bin] as number),
      )
    if (total >= value - 1e-12) count++
  }
  return count / draws
}
