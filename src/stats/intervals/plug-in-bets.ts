/**
 * Predictable plug-in stakes ("bets") λ_t = √(2 ln(1/alpha) / (horizon · σ̂²_{t−1})), from what was seen before observation t,
 * with one made-up observation of mean ½ and variance ¼ before the first. Waudby-Smith & Ramdas 2024, eq. 15 and 24.
 *
 * @param values observations in 0..1, in an order that does not depend on them
 * @param alpha level that the stakes are tuned for; any choice is valid
 * @param fixed number of observations that the stakes are tuned for; t·ln(1 + t) when absent, for looking at all times
 */
export function plugInBets(values: ArrayLike<number>, alpha: number, fixed?: number): Float64Array {
  const bets = new Float64Array(values.length)
  let sum = 0.5
  let squares = 0.25
  for (let i = 0; i < values.length; i++) {
    const t = i + 1
    const horizon = fixed ?? t * Math.log(1 + t)
    bets[i] = Math.sqrt((2 * Math.log(1 / alpha)) / (horizon * (squares / t)))
    const value = values[i] as number
    sum += value
    squares += (value - Math.min(sum / (t + 1), 1)) ** 2
  }
  return bets
}

/** Values of `range` moved to 0..1; a RangeError for one that lies outside. */
export function scaledToUnit(values: ArrayLike<number>, [least, most]: readonly [number, number]): Float64Array {
  if (!(most > least) || !Number.isFinite(most - least)) throw new RangeError(`${least}..${most} is no finite range`)
  return Float64Array.from(values, (value) => {
    const scaled = (value - least) / (most - least)
    if (!(scaled >= -1e-12 && scaled <= 1 + 1e-12)) throw new RangeError(`${value} is outside ${least}..${most}`)
    return Math.min(1, Math.max(0, scaled))
  })
}
