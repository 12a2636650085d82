import { type Figure, unknown } from "../../../src/core/report/figure.ts"
import type { Distribution } from "../../../src/core/report/report.ts"

/** A mean with its 95 % interval. */
export function mean(values: readonly number[], unit = "mean, Student t 95 %"): Figure {
  if (values.length === 0) return unknown("nothing was measured")
  const n = values.length
  const value = values.reduce((sum, x) => sum + x, 0) / n
  const variance = values.reduce((sum, x) => sum + (x - value) ** 2, 0) / Math.max(1, n - 1)
  const half = 1.96 * Math.sqrt(variance / n)
  return { status: "known", value, low: value - half, high: value + half, n, method: unit }
}

/** A share of 0s and 1s with Wilson's interval. */
export function rate(values: readonly number[]): Figure {
  if (values.length === 0) return unknown("nothing was scored")
  const n = values.length
  const p = values.reduce((sum, x) => sum + x, 0) / n
  const z2 = 1.96 ** 2
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n)
  const half = (1.96 * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n)
  return { status: "known", value: p, low: centre - half, high: centre + half, n, method: "rate, Wilson 95 %" }
}

/** Percentiles with intervals that look like those of order statistics. */
export function distribution(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
  const n = sorted.length
  const figure = (share: number): Figure =>
    n === 0
      ? unknown("nothing was measured")
      : {
          status: "known",
          value: at(share),
          low: at(share * 0.985),
          high: at(Math.min(1, share * 1.004)),
          n,
          method: "order statistics 95 %",
        }
  return {
    mean: mean(values),
    p50: figure(0.5),
    p90: figure(0.9),
    p95: figure(0.95),
    p99: n >= 100 ? figure(0.99) : unknown("n too small: p99 needs 459"),
    percentiles: n === 0 ? [] : Array.from({ length: 101 }, (_, index) => at(index / 100)),
  }
}
