import { plugInBets, scaledToUnit } from "./plug-in-bets.ts"
import type { Bounds } from "./proportion-interval.ts"

/** Options of {@link empiricalBernsteinInterval} and its kin. @public */
export interface EmpiricalBernsteinOptions {
  /** Smallest and largest possible observation, 0..1 by default. */
  readonly range?: readonly [number, number]
  readonly alpha?: number
  /** Largest stake, below 1. */
  readonly truncation?: number
}

/**
 * Lower bounds of the mean after each observation by the predictable plug-in empirical-Bernstein inequality: valid for every
 * distribution on the range and narrow where the variance is small. Waudby-Smith & Ramdas 2024, theorem 2; equal to
 * confseq's predmix_empbern_lower_cs. A bound may lie under the range: then nothing is known.
 *
 * @param values observations in an order that does not depend on them
 * @param fixed tunes the stakes for this number of observations; for looking at all times when absent
 */
export function empiricalBernsteinLowerBounds(
  values: ArrayLike<number>,
  options: EmpiricalBernsteinOptions = {},
  fixed?: number,
): Float64Array {
  const { range = [0, 1], alpha = 0.05, truncation = 0.5 } = options
  const scaled = scaledToUnit(values, range)
  const bets = plugInBets(scaled, alpha, fixed)
  let sum = 0
  let stakes = 0
  let weighted = 0
  let spent = Math.log(1 / alpha)
  return scaled.map((value, i) => {
    const bet = Math.min(truncation, bets[i] as number)
    const before = i === 0 ? 0 : sum / i
    spent += (value - before) ** 2 * (-Math.log1p(-bet) - bet)
    stakes += bet
    weighted += bet * value
    sum += value
    return range[0] + (range[1] - range[0]) * ((weighted - spent) / stakes)
  })
}

/** Two-sided interval after all observations: both one-sided bounds at alpha / 2, inside the range. @public */
export function empiricalBernsteinInterval(values: ArrayLike<number>, options: EmpiricalBernsteinOptions = {}): Bounds {
  const last = (list: ArrayLike<number>) => list[list.length - 1] as number
  const { low, high } = empiricalBernsteinSequence(values, options, values.length)
  return { low: last(low), high: last(high) }
}

/**
 * The interval after each observation; at all times together with probability 1 − alpha unless tuned for a `fixed` number.
 */
export function empiricalBernsteinSequence(
  values: ArrayLike<number>,
  options: EmpiricalBernsteinOptions = {},
  fixed?: number,
): { readonly low: Float64Array; readonly high: Float64Array } {
  const { range = [0, 1], alpha = 0.05 } = options
  const half = { ...options, range, alpha: alpha / 2 }
  const mirrored = Float64Array.from(values, (value) => range[0] + range[1] - value)
  const above = empiricalBernsteinLowerBounds(mirrored, half, fixed)
  return {
    low: empiricalBernsteinLowerBounds(values, half, fixed).map((bound) => Math.max(range[0], bound)),
    high: above.map((bound) => Math.min(range[1], range[0] + range[1] - bound)),
  }
}

/**
 * Hoeffding's interval of a mean of bounded observations, as the running intersection over the looks before the last: the
 * yardstick that knows the range and nothing of the variance; equal to confseq's predmix_hoeffding_ci.
 * @public
 */
export function hoeffdingInterval(values: ArrayLike<number>, options: EmpiricalBernsteinOptions = {}): Bounds {
  const { range = [0, 1], alpha = 0.05 } = options
  const scaled = scaledToUnit(values, range)
  const stake = Math.sqrt((8 * Math.log(2 / alpha)) / scaled.length)
  let sum = 0
  let low = 0
  let high = 1
  scaled.forEach((value, i) => {
    sum += value
    const half = (Math.log(2 / alpha) + ((i + 1) * stake * stake) / 8) / ((i + 1) * stake)
    low = Math.max(low, sum / (i + 1) - half)
    high = Math.min(high, sum / (i + 1) + half)
  })
  return { low: range[0] + (range[1] - range[0]) * low, high: range[0] + (range[1] - range[0]) * high }
}
