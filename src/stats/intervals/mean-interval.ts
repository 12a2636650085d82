import type { KnownFigure } from "../../core/report/figure.ts"
import { levelText } from "../../words/percent.ts"
import { statisticMethods } from "../../words/reasons/statistics.ts"
import { numberUnits, type Units, unitStandardError, unitSums } from "../resampling/units.ts"
import { meanBound } from "./mean-bound.ts"
import { wilsonInterval } from "./proportion-interval.ts"

/** A mean with its interval, and what both rest on. @public */
export interface MeanInterval {
  readonly value: number
  /** Null when one unit cannot bound the mean. */
  readonly low: number | null
  readonly high: number | null
  readonly standardError: number | null
  readonly units: number
  readonly method: string
}

/**
 * Interval of a mean: Wilson when all values are 0 or 1 and independent, {@link meanBound} otherwise, which allows for units
 * that hold several values (repeats of a sample, samples of a cluster), for skewness and for what few values have not shown.
 *
 * @param keys unit of each value, in the same order
 * @param range possible values, which the interval does not leave
 * @public
 */
export function meanInterval(
  values: ArrayLike<number>,
  keys: readonly string[],
  range: readonly [number, number],
  alpha = 0.05,
): MeanInterval {
  return meanIntervalOfUnits(values, unitSums(values, numberUnits(keys)), range, alpha)
}

/** {@link meanInterval} as a figure of a report; shares unless another range is named. */
export function meanFigure(
  values: ArrayLike<number>,
  keys: readonly string[],
  range: readonly [number, number] = [0, 1],
  alpha?: number,
): KnownFigure {
  const { value, low, high, method } = meanInterval(values, keys, range, alpha)
  return { status: "known", value, low, high, n: values.length, method }
}

/** {@link meanInterval} of values that are grouped already. */
export function meanIntervalOfUnits(
  values: ArrayLike<number>,
  units: Omit<Units, "members">,
  range: readonly [number, number],
  alpha = 0.05,
): MeanInterval {
  const n = values.length
  const count = units.sums.length
  let sum = 0
  let binary = true
  let equal = true
  for (let i = 0; i < n; i++) {
    const value = values[i] as number
    sum += value
    binary &&= value === 0 || value === 1
    equal &&= value === values[0]
  }
  const value = sum / n
  const level = `${levelText(alpha)} interval`
  const error = unitStandardError(units)
  const base = { value, units: count, standardError: Number.isFinite(error) ? error : null }
  if (binary && (units.single || equal))
    return { ...base, ...wilsonInterval(value * count, count, alpha), method: `mean, Wilson ${level}` }
  if (count < 2) return { ...base, low: null, high: null, method: statisticMethods.singleSample }
  const { low, high, method } = meanBound(units, { range, alpha, noun: "samples" })
  return { ...base, low, high, method: `mean, ${level}: ${method}` }
}
