import type { Units } from "../resampling/units.ts"

/** A made-up unit before the first: as if this share of one had been as far from the mean as it can be. */
const unseenVariance = 0.05
/** Units that the expected mean counts as: what is seen outweighs it from here on. */
const expectedUnits = 100
/** Largest share of the capital that a unit may cost. */
const boldness = 0.98
const halvings = 40

/** What {@link anytimeLowerBound} bets against, and what it expects. */
export interface AnytimeBoundOptions {
  /** The values of the units lie between −width and width. */
  readonly width: number
  /** One-sided. */
  readonly alpha: number
  /** The mean that is to be left out, such as −margin. */
  readonly against: number
  /** The mean that is thought likely before anything is seen; a wrong one costs samples and never validity. 0 by default. */
  readonly expected?: number
  /** Size of the largest unit that could come; the largest given by default. */
  readonly largest?: number
}

/**
 * Lower bound of the mean of bounded values that may be read at any time and as often as one likes, by betting that the mean is
 * higher. One gambler stakes on every unit, in the order in which they came, what would let his capital grow fastest if the
 * mean were as expected and as seen so far, with the variance seen so far. If a mean is not lower than the truth, his capital
 * against it can ever exceed 1 / alpha with probability alpha at most (Ville), whatever the distribution: what he ever
 * beat is left out. No part of alpha is spent by looking. Waudby-Smith & Ramdas 2024, "Estimating means of bounded random
 * variables by betting"; units of unequal size bet with Σ values − mean · size.
 *
 * @param units sums and sizes of independent units, in an order that depends neither on their values nor on their sizes
 * @returns −width where nothing is left out
 * @example anytimeLowerBound({ sums: [0, 0, …300 zeros], sizes: [1, 1, …] }, { width: 1, alpha: 0.05, against: -0.01 }) // −0.0101
 */
export function anytimeLowerBound(units: Pick<Units, "sums" | "sizes">, options: AnytimeBoundOptions): number {
  const { width, alpha } = options
  if (!(width > 0) || !Number.isFinite(width))
    throw new RangeError(`the width must be finite and above 0, not ${width}`)
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie between 0 and 1, not at ${alpha}`)
  const { sums, sizes } = units
  const largest = options.largest ?? sizes.reduce((max, size) => Math.max(max, size), 0)
  if (!(largest > 0)) return -width
  const scale = largest * width
  const shares = sizes.map((size) => size / largest)
  const values = sums.map((sum, i) => Math.min(shares[i] as number, Math.max(-(shares[i] as number), sum / scale)))
  const stakes = stakesOn(values, shares, options.against / width, (options.expected ?? 0) / width)
  const threshold = Math.log(1 / alpha)
  // For fixed stakes the capital falls as the mean rises, so that what is left out is an interval from the worst.
  const leftOut = (mean: number) => {
    const max = boldness / (1 + mean)
    let capital = 0
    for (let i = 0; i < values.length; i++) {
      capital += Math.log1p(Math.min(stakes[i] as number, max) * ((values[i] as number) - mean * (shares[i] as number)))
      if (capital >= threshold) return true
    }
    return false
  }
  let out = -1
  let kept = 1
  for (let step = 0; step < halvings; step++) {
    const middle = (out + kept) / 2
    if (leftOut(middle)) out = middle
    else kept = middle
  }
  return out * width
}

/** The stake on each unit, from the units before it: gap / (variance + gap²), where the gap is how far the mean is thought to lie above. */
function stakesOn(values: Float64Array, shares: Float64Array, against: number, expected: number): Float64Array {
  let sum = 0
  let sizes = 0
  let gains = 0
  let squares = 0
  return values.map((value, seen) => {
    const defaultValue = seen === 0 ? 1 : sizes / seen
    const prior = expectedUnits * defaultValue
    const gap = Math.max(0, (sum + prior * expected) / (sizes + prior) - against) * defaultValue
    const spread = seen === 0 ? 0 : Math.max(0, squares - gains ** 2 / seen)
    const variance = (spread + unseenVariance * defaultValue ** 2) / (seen + 1)
    const gain = value - against * (shares[seen] as number)
    sum += value
    sizes += shares[seen] as number
    gains += gain
    squares += gain * gain
    return gap / (variance + gap * gap)
  })
}
