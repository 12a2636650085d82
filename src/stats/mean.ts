import { mean as meanOf, sumNthPowerDeviations } from "simple-statistics"

/** Arithmetic mean, by compensated summation (Kahan–Babuška); NaN of nothing. @public */
export function mean(values: ArrayLike<number>): number {
  return values.length === 0 ? Number.NaN : meanOf(values as number[])
}

/**
 * Variance around the mean; `freedom` is what is subtracted from n in the denominator (1: unbiased, 0: of a population).
 * NaN when n does not exceed it.
 * @public
 */
export function variance(values: ArrayLike<number>, freedom: 0 | 1 = 1): number {
  if (values.length <= freedom) return Number.NaN
  return sumNthPowerDeviations(values as number[], 2) / (values.length - freedom)
}

/** Standard deviation, unbiased variance by default. @public */
export function standardDeviation(values: ArrayLike<number>, freedom: 0 | 1 = 1): number {
  return Math.sqrt(variance(values, freedom))
}

/** Standard error of the mean of independent values: s / √n. @public */
export function standardError(values: ArrayLike<number>): number {
  return Math.sqrt(variance(values) / values.length)
}
