import { mean } from "./mean.ts"

/**
 * Skewness of a population, m₃ / m₂^1.5 as scipy.stats.skew: 0 for a symmetric one; NaN when nothing varies.
 */
export function skewness(values: ArrayLike<number>): number {
  const [second, third] = centralMoments(values)
  return second === 0 ? Number.NaN : third / second ** 1.5
}

/**
 * Excess kurtosis of a population, m₄ / m₂² − 3 as scipy.stats.kurtosis: 0 for a normal one; NaN when nothing varies.
 */
export function excessKurtosis(values: ArrayLike<number>): number {
  const [second, , fourth] = centralMoments(values)
  return second === 0 ? Number.NaN : fourth / second ** 2 - 3
}

function centralMoments(values: ArrayLike<number>): [number, number, number] {
  const centre = mean(values)
  const moment = (power: number) => mean(Float64Array.from(values, (value) => (value - centre) ** power))
  return [moment(2), moment(3), moment(4)]
}
