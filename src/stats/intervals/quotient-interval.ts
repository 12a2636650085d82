/** A positive value with its interval; an end that is null is not bounded, one that is absent is exact. @experimental */
export interface BoundedValue {
  readonly value: number
  readonly low?: number | null
  readonly high?: number | null
}

/**
 * Interval of a quotient of two independent positive estimates from the intervals of both: the distances of the logarithms add up as
 * squares (method of variance estimates recovery; Donner and Zou, "Closed-form confidence intervals for functions of the normal mean and
 * standard deviation", 2012). It has the level of the two intervals, and keeps their skewness.
 *
 * @returns an end is null where the interval that it follows from is not bounded there
 * @example quotientInterval({ value: 2, low: 1, high: 4 }, { value: 1 }) // { low: 1, high: 4 }
 * @experimental
 */
export function quotientInterval(
  above: BoundedValue,
  below: BoundedValue,
): { readonly low: number | null; readonly high: number | null } {
  const quotient = above.value / below.value
  const distance = (a: number | null, b: number | null): number | null => {
    if (a === null || b === null) return null
    return Math.hypot(Math.log(a / above.value), Math.log(b / below.value))
  }
  const { low: aboveLow = above.value, high: aboveHigh = above.value } = above
  const { low: belowLow = below.value, high: belowHigh = below.value } = below
  const [down, up] = [distance(aboveLow, belowHigh), distance(aboveHigh, belowLow)]
  return {
    low: down === null ? null : quotient * Math.exp(-down),
    high: up === null || up === Number.POSITIVE_INFINITY ? null : quotient * Math.exp(up),
  }
}
