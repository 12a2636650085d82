import { type Figure, unknown } from "../core/report/figure.ts"
import type { Distribution } from "../core/report/report.ts"
import { studentQuantile } from "../stats/distributions.ts"
import type { DependentValues } from "../stats/intervals/series-quantile.ts"
import { unitStandardError, unitSums } from "../stats/resampling/units.ts"
import { autocorrelationTime } from "../stats/sequential/autocorrelation.ts"
import { levelText } from "../words/percent.ts"
import { servingMethods, servingReasons } from "../words/perf/serving.ts"
import { speedMethods, speedReasons } from "../words/perf/speed.ts"
import { percentileFigure, quantileOfSorted } from "./percentile.ts"

/**
 * Mean, percentiles and the 101 points of the ECDF of a list of numbers.
 *
 * @param sorted ascending
 * @param whenEmpty why there is nothing
 * @param note appended to the methods, such as `, tokens taken as independent`
 * @param alpha 1 − the level of the intervals
 * @param series the same values as they depend on each other; independent by default
 */
export function distributionOf(
  sorted: Float64Array,
  whenEmpty: string,
  note = "",
  alpha = 0.05,
  series?: DependentValues,
): Distribution {
  if (sorted.length === 0) {
    const none = unknown(whenEmpty)
    return { mean: none, p50: none, p90: none, p95: none, p99: none, percentiles: [] }
  }
  return {
    mean: meanFigure(sorted, note, alpha, series),
    p50: percentileFigure(sorted, 50, note, alpha, series),
    p90: percentileFigure(sorted, 90, note, alpha, series),
    p95: percentileFigure(sorted, 95, note, alpha, series),
    p99: percentileFigure(sorted, 99, note, alpha, series),
    percentiles: Array.from({ length: 101 }, (_, percent) => quantileOfSorted(sorted, percent / 100)),
  }
}

/** {@link distributionOf} of values in the order of time, as much as they depend on each other. */
export function seriesDistribution(values: Float64Array, whenEmpty: string, alpha = 0.05): Distribution {
  return distributionOf(values.slice().sort(), whenEmpty, "", alpha, { values })
}

/** A mean with its Student t interval; a single value has no interval. */
export function meanFigure(values: Float64Array, note = "", alpha = 0.05, series?: DependentValues): Figure {
  const n = values.length
  if (n === 0) return unknown(speedReasons.nothingMeasured)
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / n
  if (n === 1) return { status: "known", value: mean, low: null, high: null, n, method: `a single value${note}` }
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  const worth = series ? independentMeanCount(series, squares / (n - 1)) : n
  const half = studentQuantile(1 - alpha / 2, Math.max(1, worth - 1)) * Math.sqrt(squares / (n - 1) / worth)
  const method = `mean, Student t ${levelText(alpha)}${worth < n ? speedMethods.worth(worth) : ""}${note}`
  return { status: "known", value: mean, low: mean - half, high: mean + half, n, method }
}

/** How many independent values the mean of these is worth. */
function independentMeanCount({ values, units, isUnordered = false }: DependentValues, variance: number): number {
  const byTime = values.length / (isUnordered ? 1 : autocorrelationTime(values))
  const error = units && units.count > 1 ? unitStandardError(unitSums(values, units)) : null
  return Math.min(values.length, byTime, error !== null && error > 0 ? variance / error ** 2 : byTime)
}

/**
 * The mean cost of answers in US dollars; unknown where one of them has none. Adding equal costs up would leave an interval as wide as
 * what rounding loses: they have no interval.
 *
 * @param answers how many there are, those without a cost included
 */
export function meanCost(costs: Float64Array, answers: number, alpha: number): Figure {
  const [first] = costs
  if (first === undefined || costs.length < answers) return unknown(servingReasons.noCost)
  return costs.every((cost) => cost === first)
    ? { status: "known", value: first, n: costs.length, method: servingMethods.sameForAll }
    : meanFigure(costs, "", alpha)
}
