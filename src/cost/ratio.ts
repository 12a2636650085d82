import { type KnownFigure, type UnknownFigure, unknown } from "../core/report/figure.ts"
import { studentQuantile } from "../stats/distributions.ts"
import { mappedFrom, releaseNumbers } from "../stats/mapped-numbers.ts"
import { numberUnits, type UnitNumbers, unitSums } from "../stats/resampling/units.ts"
import { sum, sumOf } from "../stats/sum.ts"

/**
 * Σ numerators / Σ denominators with an interval by the delta method (Cochran, "Sampling Techniques", 6.4), which for
 * denominators of 1 is the Student t interval of a mean. The upper end is widened where the values are skewed to the right, as
 * costs are. Unknown when the denominators add up to 0.
 *
 * @param units unit of each value, its sample: repeats of a sample are one piece of evidence; each value its own when absent
 * @param alpha 1 − the level of the interval
 * @example ratioOf([2, 4], [1, 1], "mean").value // 3
 */
export function ratioOf(
  numerators: ArrayLike<number> & Iterable<number>,
  denominators: ArrayLike<number> & Iterable<number>,
  method: string,
  units?: readonly string[] | UnitNumbers,
  alpha = 0.05,
): KnownFigure | UnknownFigure {
  const n = numerators.length
  const below = sum(denominators)
  if (below === 0) return unknown("the denominator is 0")
  const value = sum(numerators) / below
  const residuals = mappedFrom(n, (i) => (numerators[i] as number) - value * (denominators[i] as number))
  const grouped = units ? unitSums(residuals, "of" in units ? units : numberUnits(units)).sums : residuals
  const count = grouped.length
  if (count < 2) return { status: "known", value, low: null, high: null, n, method: "a single value" }
  const squares = sumOf(grouped, (residual) => residual ** 2)
  const cubes = sumOf(grouped, (residual) => residual ** 3)
  releaseNumbers(residuals)
  const t = studentQuantile(1 - alpha / 2, count - 1)
  const error = Math.sqrt(squares / (count * (count - 1))) / (below / count)
  // The first correction of t for skewness [Hall 1992]: only ever wider.
  const skewed = squares > 0 ? Math.max(0, ((cubes / squares ** 1.5) * (2 * t * t + 1)) / 6) : 0
  const low = Math.max(0, value - t * error)
  const named = count < n ? `${method}; over ${count} samples` : method
  return { status: "known", value, low, high: value + (t + skewed) * error, n, method: named }
}
