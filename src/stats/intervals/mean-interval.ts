import { numberUnits, type Units, unitStandardError, unitSums } from "../resampling/units.ts"
import { wilsonInterval } from "./proportion-interval.ts"
import { studentInterval } from "./student-interval.ts"
import { unchangedInterval } from "./unchanged-interval.ts"

/** A mean with its interval, and what both are computed from. @public */
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
 * Interval of a mean: Wilson when all values are 0 or 1 and independent, Student t otherwise, with the clustered standard
 * error when several values share a unit (repeats of a sample, samples of a cluster). Values that are all equal get the
 * bound of {@link unchangedInterval} instead of a point.
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

/** {@link meanInterval} of values that are grouped already. @public */
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
  const level = `${percent(1 - alpha)} interval`
  const error = unitStandardError(units)
  const base = { value, units: count, standardError: Number.isFinite(error) ? error : null }
  if (binary && (units.single || equal))
    return { ...base, ...wilsonInterval(value * count, count, alpha), method: `mean, Wilson ${level}` }
  if (count < 2) return { ...base, low: null, high: null, method: "mean of one sample, which gives no interval" }
  if (error === 0 || equal) {
    const { low, high } = unchangedInterval(value, count, range, alpha)
    const finite = (bound: number) => (Number.isFinite(bound) ? bound : null)
    return { ...base, low: finite(low), high: finite(high), method: `mean, ${level} of values that are all equal` }
  }
  const errors = units.single ? "" : " with clustered errors"
  const { low, high } = studentInterval(value, error, count - 1, alpha)
  // What no value can be, their mean cannot be either.
  const bounds = { low: Math.max(low, range[0]), high: Math.min(high, range[1]) }
  return { ...base, ...bounds, method: `mean, Student t ${level}${errors}` }
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}
