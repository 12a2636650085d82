import { plugInBets, scaledToUnit } from "./plug-in-bets.ts"
import type { Bounds } from "./proportion-interval.ts"

/** Options of {@link bettingInterval} and {@link bettingSequence}. @public */
export interface BettingOptions {
  /** Smallest and largest possible observation, 0..1 by default. */
  readonly range?: readonly [number, number]
  readonly alpha?: number
  /** Points of the grid of candidate means; the ends are widened by one step. 1,000 by default. */
  readonly breaks?: number
  /** Share of the capital that bets on "higher". */
  readonly theta?: number
  /** Largest stake, as `scale` or, `byMean`, as scale / m and scale / (1 − m), so that no bet can ruin. */
  readonly cap?: { readonly scale: number; readonly byMean: boolean }
  /** Keeps what an earlier look left out (default), which is valid and never wider. */
  readonly intersection?: boolean
}

/** An interval, or the word that the observations contradict every mean: with drift no single mean fits. @public */
export interface BettingInterval extends Bounds {
  /** Whether the looks left nothing over (low is then above high): the observations drift. */
  readonly empty: boolean
}

/**
 * Interval of the mean of bounded observations for a fixed number of them, by hedged capital: for each candidate mean two
 * gamblers bet "higher" and "lower" with {@link plugInBets}; a candidate is left out once θ·K⁺ or (1 − θ)·K⁻ exceeds
 * 1 / alpha. Valid at every n and for every distribution on the range. Waudby-Smith & Ramdas 2024, "Estimating means of
 * bounded random variables by betting", theorem 3 and remark 3; equal to confseq's betting_ci.
 *
 * @param values observations in an order that does not depend on them
 * @public
 */
export function bettingInterval(values: ArrayLike<number>, options: BettingOptions = {}): BettingInterval {
  const { alpha = 0.05, cap = { scale: 1, byMean: false } } = options
  const looks = run(values, { ...options, alpha, cap }, values.length)
  return looks[looks.length - 1] as BettingInterval
}

/** log(1 + stake · gain), −Infinity when the stake is lost: what is left out stays so. */
function logFactor(bet: number, gain: number, cap: number): number {
  return Math.log(Math.max(0, 1 + Math.min(bet, cap) * gain))
}

function run(
  values: ArrayLike<number>,
  options: BettingOptions & Required<Pick<BettingOptions, "cap">>,
  fixed?: number,
): BettingInterval[] {
  const { range = [0, 1], alpha = 0.05, breaks = 1000, theta = 0.5, cap, intersection = true } = options
  const scaled = scaledToUnit(values, range)
  const up = plugInBets(scaled, alpha * theta, fixed)
  const down = plugInBets(scaled, alpha * (1 - theta), fixed)
  const step = 1 / breaks
  const means = Float64Array.from({ length: Math.ceil((1 + step) / step) }, (_, i) => i * step)
  const higher = new Float64Array(means.length).fill(Math.log(theta))
  const lower = new Float64Array(means.length).fill(Math.log(1 - theta))
  const threshold = Math.log(1 / alpha)
  const width = range[1] - range[0]
  let low = 0
  let high = 1
  return Array.from(scaled, (value, i) => {
    const upBet = up[i] as number
    const downBet = down[i] as number
    let first = -1
    let last = -1
    for (let k = 0; k < means.length; k++) {
      const mean = means[k] as number
      higher[k]! += logFactor(upBet, value - mean, cap.byMean ? cap.scale / mean : cap.scale)
      lower[k]! += logFactor(downBet, mean - value, cap.byMean ? cap.scale / Math.max(0, 1 - mean) : cap.scale)
      if (Math.max(higher[k] as number, lower[k] as number) > threshold) continue
      if (first < 0) first = k
      last = k
    }
    const nowLow = first < 0 ? 0 : Math.max(0, (means[first] as number) - step)
    const nowHigh = first < 0 ? 1 : Math.min(1, (means[last] as number) + step)
    low = intersection ? Math.max(low, nowLow) : nowLow
    high = intersection ? Math.min(high, nowHigh) : nowHigh
    return { low: range[0] + width * low, high: range[0] + width * high, empty: low > high || first < 0 }
  })
}
