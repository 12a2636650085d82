/** Arithmetic mean; NaN of nothing. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] as number
  return sum / values.length
}

/**
 * Variance around the mean; `freedom` is what is subtracted from n in the denominator (1: unbiased, 0: of a population).
 * NaN when n does not exceed it.
 */
export function variance(values: ArrayLike<number>, freedom: 0 | 1 = 1): number {
  if (values.length <= freedom) return Number.NaN
  const centre = mean(values)
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += ((values[i] as number) - centre) ** 2
  return sum / (values.length - freedom)
}

/** Standard deviation, unbiased variance by default. */
export function standardDeviation(values: ArrayLike<number>, freedom: 0 | 1 = 1): number {
  return Math.sqrt(variance(values, freedom))
}

/** Standard error of the mean of independent values: s / √n. */
export function standardError(values: ArrayLike<number>): number {
  return Math.sqrt(variance(values) / values.length)
}
