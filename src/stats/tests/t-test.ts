import { studentTwoSided } from "../distributions.ts"
import { mean, variance } from "../mean.ts"

/**
 * A t statistic with its two-sided p-value: both NaN when nothing varies and nothing differs, infinite and 0 when nothing
 * varies but the means differ.
 * @public
 */
export interface TTest {
  readonly statistic: number
  readonly degrees: number
  readonly p: number
}

/** Student's t test of paired values: is the mean of first − second 0? @public */
export function pairedTTest(first: ArrayLike<number>, second: ArrayLike<number>): TTest {
  const differences = Array.from(first, (value, i) => value - (second[i] as number))
  return result(mean(differences), Math.sqrt(variance(differences) / differences.length), differences.length - 1)
}

/** Welch's t test of two independent samples, variances not assumed equal. @public */
export function welchTTest(first: ArrayLike<number>, second: ArrayLike<number>): TTest {
  const a = variance(first) / first.length
  const b = variance(second) / second.length
  // Two constant sides have no degrees of freedom; any number will do for 0 / 0 and for an infinite statistic.
  const degrees = a + b === 0 ? 1 : (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1))
  return result(mean(first) - mean(second), Math.sqrt(a + b), degrees)
}

/** Student's t test of two independent samples with one common variance. @public */
export function studentTTest(first: ArrayLike<number>, second: ArrayLike<number>): TTest {
  const degrees = first.length + second.length - 2
  const pooled = ((first.length - 1) * variance(first) + (second.length - 1) * variance(second)) / degrees
  return result(mean(first) - mean(second), Math.sqrt(pooled * (1 / first.length + 1 / second.length)), degrees)
}

function result(difference: number, error: number, degrees: number): TTest {
  const statistic = difference / error
  return { statistic, degrees, p: Number.isNaN(statistic) ? Number.NaN : studentTwoSided(statistic, degrees) }
}
