import { sortedNumbers } from "./order.ts"

/** How a quantile between two order statistics is read; the names are numpy's. @public */
export type QuantileMethod =
  | "linear"
  | "lower"
  | "higher"
  | "nearest"
  | "midpoint"
  | "inverted_cdf"
  | "hazen"
  | "weibull"
  | "median_unbiased"
  | "normal_unbiased"

/** (α, β) of Hyndman & Fan's continuous families: position = n·q + α + q·(1 − α − β) − 1. */
const families: Partial<Record<QuantileMethod, readonly [number, number]>> = {
  linear: [1, 1],
  hazen: [0.5, 0.5],
  weibull: [0, 0],
  median_unbiased: [1 / 3, 1 / 3],
  normal_unbiased: [3 / 8, 3 / 8],
}

/**
 * Quantile of values in any order; NaN of nothing. The default (`linear`) is numpy's and simple-statistics' rule.
 * Hyndman & Fan 1996, "Sample Quantiles in Statistical Packages".
 *
 * @example quantile([3, 1, 2], 0.25) // 1.5
 * @public
 */
export function quantile(values: ArrayLike<number>, q: number, method: QuantileMethod = "linear"): number {
  return quantileSorted(sortedNumbers(values), q, method)
}

/** As {@link quantile}, for values that are already ascending. */
export function quantileSorted(sorted: ArrayLike<number>, q: number, method: QuantileMethod = "linear"): number {
  const n = sorted.length
  if (n === 0) return Number.NaN
  const at = (index: number) => sorted[Math.min(n - 1, Math.max(0, index))] as number
  const family = families[method]
  if (family) {
    const [alpha, beta] = family
    const position = Math.min(n - 1, Math.max(0, n * q + alpha + q * (1 - alpha - beta) - 1))
    const below = Math.floor(position)
    const share = position - below
    const low = at(below)
    return share === 0 ? low : low + share * (at(below + 1) - low)
  }
  if (method === "inverted_cdf") return at(Math.ceil(n * q) - 1)
  const position = (n - 1) * q
  if (method === "lower") return at(Math.floor(position))
  if (method === "higher") return at(Math.ceil(position))
  if (method === "midpoint") return (at(Math.floor(position)) + at(Math.ceil(position))) / 2
  const below = Math.floor(position)
  const share = position - below
  return at(share > 0.5 || (share === 0.5 && below % 2 === 1) ? below + 1 : below)
}
