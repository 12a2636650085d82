import { type Figure, unknown } from "../core/report/figure.ts"
import type { Distribution } from "../core/report/report.ts"
import { studentQuantile } from "../stats/distributions.ts"
import { percentileFigure, quantileOfSorted } from "./percentile.ts"

/**
 * Mean, percentiles and the 101 points of the ECDF of a list of numbers.
 *
 * @param sorted ascending
 * @param whenEmpty why there is nothing
 * @param note appended to the methods, such as `, tokens taken as independent`
 */
export function distributionOf(sorted: Float64Array, whenEmpty: string, note = ""): Distribution {
  if (sorted.length === 0) {
    const none = unknown(whenEmpty)
    return { mean: none, p50: none, p90: none, p95: none, p99: none, percentiles: [] }
  }
  return {
    mean: meanFigure(sorted, note),
    p50: percentileFigure(sorted, 50, note),
    p90: percentileFigure(sorted, 90, note),
    p95: percentileFigure(sorted, 95, note),
    p99: percentileFigure(sorted, 99, note),
    percentiles: Array.from({ length: 101 }, (_, percent) => quantileOfSorted(sorted, percent / 100)),
  }
}

/** A mean with its Student t interval at 95 %; a single value has no interval. */
export function meanFigure(values: Float64Array, note = ""): Figure {
  const n = values.length
  if (n === 0) return unknown("nothing was measured")
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / n
  if (n === 1) return { status: "known", value: mean, low: null, high: null, n, method: `a single value${note}` }
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  const half = studentQuantile(0.975, n - 1) * Math.sqrt(squares / (n - 1) / n)
  return { status: "known", value: mean, low: mean - half, high: mean + half, n, method: `mean, Student t 95 %${note}` }
}
