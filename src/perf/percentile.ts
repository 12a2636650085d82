import { type Figure, unknown } from "../core/report/figure.ts"
import { quantileInterval } from "../stats/intervals/quantile-interval.ts"
import { type DependentValues, independentCount } from "../stats/intervals/series-quantile.ts"
import { levelText } from "../words/percent.ts"
import { speedMethods, speedReasons } from "../words/perf/speed.ts"

/**
 * Percentile by linear interpolation between order statistics: rule R-7 of Hyndman & Fan (1996), numpy's default.
 *
 * @param sorted ascending, at least one value
 * @param share 0..1, such as 0.99
 * @example quantileOfSorted([1, 2, 3, 4], 0.9) // 3.7
 * @experimental
 */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share
  const below = Math.floor(position)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (high - low) * (position - below)
}

/**
 * How many requests a percentile needs before its sample can bound it: the smallest n whose largest value lies above
 * the percentile with 99 % confidence, share^n ≤ 0.01.
 *
 * @example smallestSampleFor(0.99) // 459; p95: 90, p90: 44, p50: 7
 */
export function smallestSampleFor(share: number): number {
  return Math.ceil(Math.log(0.01) / Math.log(share))
}

/** {@link percentileFigure} of values in the order of time, as much as they depend on each other. */
export function seriesPercentile(values: ArrayLike<number>, percent: number, note = "", alpha = 0.05): Figure {
  return percentileFigure(Float64Array.from(values).sort(), percent, note, alpha, { values })
}

/**
 * A percentile as a figure: R-7 with an order-statistic interval, and a warning when n is too small for it.
 *
 * @param sorted ascending values
 * @param percent 50, 90, 95, 99 …
 * @param note appended to the method
 * @param alpha 1 − the level of the interval
 * @param series the same values as they depend on each other; independent by default
 * @experimental
 */
export function percentileFigure(
  sorted: ArrayLike<number>,
  percent: number,
  note = "",
  alpha = 0.05,
  series?: DependentValues,
): Figure {
  const n = sorted.length
  if (n === 0) return unknown(speedReasons.nothingMeasured)
  const share = percent / 100
  const worth = series ? independentCount(series, sorted, share, alpha).worth : n
  const bounds = quantileInterval(sorted, share, alpha, worth)
  const needed = smallestSampleFor(share)
  return {
    status: "known",
    value: quantileOfSorted(sorted, share),
    low: bounds?.low ?? null,
    high: bounds?.high ?? null,
    n,
    method: `p${percent} R-7, order-statistic ${levelText(alpha)}${worth < n ? speedMethods.worth(worth) : ""}${note}`,
    ...(n < needed ? { warning: `n too small: p${percent} needs ${needed}` } : {}),
  }
}
