import { normalQuantile } from "../distributions.ts"
import { exponentialSumTail, type WeightedValues } from "./exponential-sum.ts"

/** More distinct values than this are spread over a grid of so many points, which keeps their mean and costs no accuracy. */
const gridPoints = 1024

/**
 * Lower bound of the mean of values that cannot lie under `least`, at level 1 − alpha, whatever their distribution: the
 * alpha-quantile of the mean under random (Dirichlet) weights of the n values and one more value at `least`, which represents
 * the worst that n values may have missed. For values of 0 and 1 it is Clopper and Pearson's exact bound; for many values it
 * tends to Student's t. It needs no order of the values and no seed. Gaffke 2005, "Three test statistics for a nonparametric
 * one-sided hypothesis on the mean of a nonnegative variable"; Learned-Miller & Thomas 2019, "A new confidence interval for
 * the mean of a bounded random variable". That it holds for every distribution is proved for two values and n = 1, found in
 * every simulation and not proved in general; `bettingLowerBound` is the proved and wider one.
 *
 * @param values at least one, none under `least`
 * @param times how often each value counts, above 0; need not be whole
 * @returns `least` when every value is `least`
 * @example dirichletLowerBound([1, 1, 1, 1, 1], 0, 0.05) // 0.5493, which is 0.05^(1/5)
 * @public
 */
export function dirichletLowerBound(values: ArrayLike<number>, least: number, alpha = 0.05, times = 1): number {
  if (!(alpha > 0 && alpha < 0.4)) throw new RangeError(`alpha must lie between 0 and 0.4, not at ${alpha}`)
  if (!Number.isFinite(least)) throw new RangeError(`the least value must be finite, not ${least}`)
  const distinct = distinctValues(values, least, times)
  const spread = moments(distinct)
  if (!(spread.most > least)) return least
  // Everything in units of the spread of what can happen, from `least` at 0.
  const scale = spread.most - least
  const scaled = distinct.values.map((value) => (value - least) / scale)
  const shifted: WeightedValues = { values: new Float64Array(scaled.length), counts: distinct.counts }
  const miss = (bound: number) => {
    for (let i = 0; i < scaled.length; i++) shifted.values[i] = (scaled[i] as number) - bound
    return Math.log(exponentialSumTail(shifted)) - Math.log(alpha)
  }
  const centre = (spread.mean - least) / scale
  const guess = centre + normalQuantile(alpha) * (spread.deviation / scale)
  return least + scale * root(miss, guess, centre)
}

/** Upper bound of values that cannot lie above `most`: the mirror image of {@link dirichletLowerBound}. @public */
export function dirichletUpperBound(values: ArrayLike<number>, most: number, alpha = 0.05, times = 1): number {
  return -dirichletLowerBound(
    Float64Array.from(values, (value) => -value),
    -most,
    alpha,
    times,
  )
}

/**
 * One-sided p of the hypothesis that the mean is at most `at`: {@link dirichletLowerBound} at level alpha lies above `at` exactly
 * where this is below alpha. A tenth of the bound's cost.
 *
 * @public
 */
export function dirichletP(values: ArrayLike<number>, least: number, at: number): number {
  if (at < least) return 0
  const distinct = distinctValues(values, least, 1)
  const { mean, most } = moments(distinct)
  // Beyond the weighted mean the tail is more than about a half: no evidence at all.
  if (!(most > least) || at >= mean) return 1
  const scale = most - least
  const shifted = distinct.values.map((value) => (value - at) / scale)
  return exponentialSumTail({ values: shifted, counts: distinct.counts })
}

/** Root of an increasing function between 0, where it is −∞, and `top`, where it is positive: false position after Illinois. */
function root(miss: (bound: number) => number, guess: number, top: number): number {
  let low = 0
  let lowMiss = Number.NEGATIVE_INFINITY
  let high = top
  let highMiss = Number.POSITIVE_INFINITY
  let at = guess > 0 && guess < top ? guess : top / 2
  let lastSide = 0
  for (let round = 0; round < 60 && high - low > 1e-12 * top; round++) {
    const now = miss(at)
    if (Math.abs(now) < 1e-8) return at
    const side = Math.sign(now)
    if (now < 0) {
      low = at
      lowMiss = now
      if (side === lastSide) highMiss /= 2
    } else {
      high = at
      highMiss = now
      if (side === lastSide) lowMiss /= 2
    }
    lastSide = side
    const finite = Number.isFinite(lowMiss) && Number.isFinite(highMiss)
    at = finite ? low + ((high - low) * -lowMiss) / (highMiss - lowMiss) : bracketStep(low, high, now, top)
  }
  return at
}

/** The next point while one end is still unknown: from a known low end upwards, from a known high end downwards. */
function bracketStep(low: number, high: number, now: number, top: number): number {
  if (now < 0) return low + (high - low) * (high === top ? 0.1 : 0.5)
  return low === 0 ? high * 0.8 : (low + high) / 2
}

/** Distinct values with their counts and the added worst value; many of them are shared out over the points of a grid. */
function distinctValues(values: ArrayLike<number>, least: number, times: number): WeightedValues {
  const counts = new Map<number, number>([[least, 1]])
  let most = least
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!(value >= least - 1e-9 * Math.max(1, Math.abs(least)))) throw new RangeError(`${value} lies under ${least}`)
    const held = Math.max(least, value)
    counts.set(held, (counts.get(held) ?? 0) + times)
    most = Math.max(most, held)
  }
  if (counts.size <= 2 * gridPoints) {
    const sorted = [...counts].sort(([a], [b]) => a - b)
    return { values: Float64Array.from(sorted, ([v]) => v), counts: Float64Array.from(sorted, ([, c]) => c) }
  }
  const grid = new Float64Array(gridPoints + 1)
  const step = (most - least) / gridPoints
  for (const [value, count] of counts) {
    const place = (value - least) / step
    const below = Math.min(gridPoints - 1, Math.floor(place))
    grid[below]! += count * (below + 1 - place)
    grid[below + 1]! += count * (place - below)
  }
  return { values: grid.map((_, i) => least + i * step), counts: grid }
}

function moments({ values, counts }: WeightedValues) {
  let n = 0
  let sum = 0
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    n += counts[i] as number
    sum += (counts[i] as number) * (values[i] as number)
    most = Math.max(most, values[i] as number)
  }
  const mean = sum / n
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += (counts[i] as number) * ((values[i] as number) - mean) ** 2
  return { mean, most, deviation: Math.sqrt(squares / n / (n + 1)) }
}
