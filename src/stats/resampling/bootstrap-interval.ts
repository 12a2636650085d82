import { normalCdf, normalQuantile } from "../distributions.ts"
import type { Bounds } from "../intervals/proportion-interval.ts"
import { mean } from "../mean.ts"
import { sortedNumbers } from "../order.ts"
import { quantileSorted } from "../quantile.ts"

/** Percentile interval: quantiles of the bootstrap distribution as they are. @public */
export function percentileInterval(distribution: Float64Array, alpha = 0.05): Bounds {
  const sorted = sortedNumbers(distribution)
  return { low: quantileSorted(sorted, alpha / 2), high: quantileSorted(sorted, 1 - alpha / 2) }
}

/** Basic (reverse percentile) interval: the quantiles mirrored at the estimate. @public */
export function basicInterval(distribution: Float64Array, estimate: number, alpha = 0.05): Bounds {
  const { low, high } = percentileInterval(distribution, alpha)
  return { low: 2 * estimate - high, high: 2 * estimate - low }
}

/**
 * Bias-corrected and accelerated interval: percentiles moved by the median bias of the distribution and by the skewness
 * of the jackknife. Efron 1987; bounds as scipy.stats.bootstrap gives them. NaN bounds when nothing varies.
 * @public
 */
export function bcaInterval(
  distribution: Float64Array,
  estimate: number,
  jackknife: Float64Array,
  alpha = 0.05,
): Bounds {
  const sorted = sortedNumbers(distribution)
  const level = bcaLevels(distribution, estimate, jackknife)
  return { low: quantileSorted(sorted, level(alpha / 2)), high: quantileSorted(sorted, level(1 - alpha / 2)) }
}

/** Maps a nominal probability to the percentile of the distribution that BCa reads; NaN when nothing varies. */
export function bcaLevels(
  distribution: Float64Array,
  estimate: number,
  jackknife: Float64Array,
): (probability: number) => number {
  let below = 0
  let equal = 0
  for (const value of distribution) {
    if (value < estimate) below++
    else if (value === estimate) equal++
  }
  const bias = normalQuantile((below + equal / 2) / distribution.length)
  const acceleration = jackknifeSkewness(jackknife)
  return (probability) => {
    const z = bias + normalQuantile(probability)
    return normalCdf(bias + z / (1 - acceleration * z))
  }
}

function jackknifeSkewness(jackknife: Float64Array): number {
  const centre = mean(jackknife)
  let squares = 0
  let cubes = 0
  for (const value of jackknife) {
    const deviation = centre - value
    squares += deviation * deviation
    cubes += deviation * deviation * deviation
  }
  return cubes / (6 * squares ** 1.5)
}
