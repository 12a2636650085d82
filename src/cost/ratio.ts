import { type KnownFigure, type UnknownFigure, unknown } from "../core/report/figure.ts"
import { studentQuantile } from "../stats/distributions.ts"

/**
 * Σ numerators / Σ denominators with a 95 % interval by the delta method (Cochran, "Sampling Techniques", 6.4), which for
 * denominators of 1 is the Student t interval of a mean. Unknown when the denominators add up to 0.
 *
 * @example ratioOf([2, 4], [1, 1], "mean").value // 3
 */
export function ratioOf(
  numerators: readonly number[],
  denominators: readonly number[],
  method: string,
): KnownFigure | UnknownFigure {
  const n = numerators.length
  const below = sum(denominators)
  if (below === 0) return unknown("the denominator is 0")
  const value = sum(numerators) / below
  if (n < 2) return { status: "known", value, low: null, high: null, n, method: "a single value" }
  const squares = sum(numerators.map((numerator, i) => (numerator - value * (denominators[i] as number)) ** 2))
  const half = (studentQuantile(0.975, n - 1) * Math.sqrt(squares / (n * (n - 1)))) / (below / n)
  return { status: "known", value, low: Math.max(0, value - half), high: value + half, n, method }
}

/** Sum with Neumaier's compensation, so that a million small amounts add up to the cent. */
export function sum(values: Iterable<number>): number {
  let total = 0
  let lost = 0
  for (const value of values) {
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + lost
}
