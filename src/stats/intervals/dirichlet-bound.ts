import { normalQuantile } from "../distributions.ts"
import { approximateSumTail, exponentialSumTail, type WeightedValues } from "./exponential-sum.ts"

/** More distinct values than this are spread over a grid of so many points, which keeps their mean and costs no accuracy. */
const gridPoints = 1024

/** Seen values that lie closer together than this share of their standard deviation are taken for parts of one stretch. */
const closeShare = 0.5

/**
 * Lower bound of the mean of values that cannot lie under `least`, at level 1 − alpha, whatever their distribution. Two things can
 * make the true mean lower than the values say, and the bound is the lowest mean that both together leave possible: a share q of
 * all cases lies at `least` and none of n values has met it, which has the probability (1 − q)^n; and the mean of the others is
 * lower than that of the seen ones, which has the probability that their mean under random (Dirichlet) weights is as low, with
 * one more value at the lowest seen one [Gaffke 2005, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a
 * nonnegative variable"; Learned-Miller & Thomas 2019, "A new confidence interval for the mean of a bounded random variable"]. A
 * bound is the mean at which the largest product of the two, over q, is alpha. In a stretch of values without a gap the additional
 * value lies in the middle, not at its lower end. For values of 0 and 1 this is Clopper and Pearson's exact bound; for dense values it
 * is near Student's t from 100 of them on, at which one unseen loss of a whole would be less than their noise. It needs no order
 * of the values and no seed. That it holds for every distribution is found in every simulation (docs/verdicts.md) and not proved in
 * general; a bound by betting is proved, and wider.
 *
 * @param values at least one, none under `least`
 * @param times how often each value counts, above 0; need not be whole
 * @returns `least` when every value is `least`
 * @example dirichletLowerBound([1, 1, 1, 1, 1], 0, 0.05) // 0.5493, which is 0.05^(1/5)
 */
export function dirichletLowerBound(values: ArrayLike<number>, min: number, alpha = 0.05, times = 1): number {
  if (!(alpha > 0 && alpha < 0.4)) throw new RangeError(`alpha must lie between 0 and 0.4, not at ${alpha}`)
  if (!Number.isFinite(min)) throw new RangeError(`the least value must be finite, not ${min}`)
  const seen = seenMean(values, min, times)
  if (!(seen.most > min)) return min
  // Everything in units of the spread of what can happen, from `least` at 0.
  const { scale, scaled, mean } = onUnitScale(seen, min)
  const guess = mean + (normalQuantile(alpha) * seen.deviation) / scale
  const near = root((at) => Math.log(explanation(scaled, at)) - Math.log(alpha), guess, mean)
  return min + scale * (scaled.values.length === 1 ? near : refinedBound(scaled, near, Math.log(alpha)))
}

/** Upper bound of values that cannot lie above `most`: the mirror image of {@link dirichletLowerBound}. */
export function dirichletUpperBound(values: ArrayLike<number>, max: number, alpha = 0.05, times = 1): number {
  return -dirichletLowerBound(
    Float64Array.from(values, (value) => -value),
    -max,
    alpha,
    times,
  )
}

/**
 * One-sided p of the hypothesis that the mean is at most `at`: {@link dirichletLowerBound} at level alpha lies above `at` where this
 * is below alpha. A third of the bound's cost.
 */
export function dirichletP(values: ArrayLike<number>, min: number, at: number): number {
  if (at < min) return 0
  const seen = seenMean(values, min, 1)
  if (!(seen.most > min) || at >= seen.mean) return 1
  const { scale, scaled } = onUnitScale(seen, min)
  const to = (at - min) / scale
  return scaled.values.length === 1 ? to ** scaled.n : Math.exp(bestExplanation(scaled, to).log)
}

function onUnitScale(seen: SeenMean, min: number) {
  const scale = seen.most - min
  const scaled = { ...seen, values: seen.values.map((value) => (value - min) / scale) }
  return { scale, scaled, mean: (seen.mean - min) / scale }
}

/** How well values between 0 and 1 can be explained by a mean of `at`: about the largest product of the two probabilities. */
function explanation(scaled: SeenMean, at: number): number {
  if (scaled.values.length === 1) return at ** scaled.n
  return Math.exp(logExplained(scaled, at, unseenShare(scaled, at)))
}

/** Logarithm of the product of the two probabilities, given the share of unseen cases. */
function logExplained(scaled: SeenMean, at: number, share: number): number {
  return scaled.n * Math.log1p(-share) + Math.log(exponentialSumTail(moved(scaled, at / (1 - share))))
}

/**
 * A bound near the one sought, moved to it by Newton's steps. The approximate share explains less than the best one, which puts a bound
 * too high: here it is the best one.
 */
function refinedBound(scaled: SeenMean, near: number, logAlpha: number): number {
  let at = near
  let share: number | undefined
  for (let round = 0; round < 6; round++) {
    const best = bestExplanation(scaled, at, share)
    share = best.share
    const step = 1e-5 * at
    const slope = (best.log - logExplained(scaled, at - step, share)) / step
    const move = (best.log - logAlpha) / slope
    if (!(Math.abs(move) < at / 2)) return at
    at -= move
    if (Math.abs(move) < 1e-11) return at
  }
  return at
}

/** The share that explains best, and the logarithm of what it explains: by parabolas through three exact points around a share near it. */
function bestExplanation(scaled: SeenMean, at: number, near = unseenShare(scaled, at)) {
  const min = Math.max(0, 1 - at / (scaled.values[0] as number))
  const logAt = (share: number) => logExplained(scaled, at, share)
  let best = { share: near, log: logAt(near) }
  // A share matters on the scale of one case.
  const scale = 1 / scaled.n
  for (let [round, width] = [0, 0.1 * scale]; round < 8; round++, width /= 4) {
    const reach = Math.min(width, (1 - at - best.share) / 2, best.share > min ? (best.share - min) / 2 : width)
    const isInside = best.share >= reach
    const middle = isInside ? best.share : reach
    const [left, right] = [logAt(middle - reach), logAt(middle + reach)]
    const centre = isInside ? best.log : logAt(middle)
    const vertex = middle + (reach * (left - right)) / (2 * (left - 2 * centre + right))
    if (!Number.isFinite(vertex)) break
    const share = Math.max(min, middle - 4 * reach, Math.min(middle + 4 * reach, vertex))
    const move = Math.abs(share - best.share)
    const log = move === 0 ? best.log : logAt(share)
    if (log > best.log) best = { share, log }
    if (move < 1e-5 * scale) break
  }
  return best
}

const moved = ({ values, counts }: WeightedValues, at: number): WeightedValues => ({
  values: values.map((value) => value - at),
  counts,
})

/**
 * About the share of unseen cases at 0 with which values between 0 and 1 explain a mean of `at` best: by a golden section over an
 * approximation. Its error puts a bound up to 5e-5 of the range too high.
 */
function unseenShare(seen: SeenMean, at: number): number {
  const explained = (share: number) =>
    seen.n * Math.log1p(-share) + Math.log(approximateSumTail(moved(seen, at / (1 - share))))
  const golden = (Math.sqrt(5) - 1) / 2
  // Fewer than this, and the others would have to lie under the lowest one seen.
  const min = Math.max(0, 1 - at / (seen.values[0] as number))
  let [low, high] = [min, 1 - at]
  let [left, right] = [high - golden * (high - low), low + golden * (high - low)]
  let [atLeft, atRight] = [explained(left), explained(right)]
  while (high - low > 1e-4 * (1 - at)) {
    if (atLeft >= atRight) {
      ;[high, right, atRight] = [right, left, atLeft]
      left = high - golden * (high - low)
      atLeft = explained(left)
    } else {
      ;[low, left, atLeft] = [left, right, atRight]
      right = low + golden * (high - low)
      atRight = explained(right)
    }
  }
  return low === 0 && explained(0) >= explained(high) ? 0 : (low + high) / 2
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

/** Weighted values whose mean is to be bounded: those seen, and one more among them. */
interface SeenMean extends WeightedValues {
  /** How many were seen, without the additional one. */
  readonly n: number
  readonly mean: number
  readonly most: number
  /** Standard deviation of the mean under random weights. */
  readonly deviation: number
}

function seenMean(values: ArrayLike<number>, min: number, times: number): SeenMean {
  const counts = new Map<number, number>()
  let max = min
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!(value >= min - 1e-9 * Math.max(1, Math.abs(min)))) throw new RangeError(`${value} lies under ${min}`)
    const held = Math.max(min, value)
    counts.set(held, (counts.get(held) ?? 0) + times)
    max = Math.max(max, held)
  }
  const weighted = counts.size <= 2 * gridPoints ? sortedValues(counts) : onGrid(counts, min, max)
  weighted.counts[0]! += 1
  if (counts.size <= 2 * gridPoints) centreStretches(weighted)
  return { ...weighted, ...moments(weighted), n: values.length * times, most: max }
}

function sortedValues(counts: ReadonlyMap<number, number>): WeightedValues {
  const sorted = [...counts].sort(([a], [b]) => a - b)
  return { values: Float64Array.from(sorted, ([v]) => v), counts: Float64Array.from(sorted, ([, c]) => c) }
}

/** Many values, shared out over the points of a grid. */
function onGrid(counts: ReadonlyMap<number, number>, min: number, max: number): WeightedValues {
  const grid = new Float64Array(gridPoints + 1)
  const step = (max - min) / gridPoints
  for (const [value, count] of counts) {
    const position = (value - min) / step
    const below = Math.min(gridPoints - 1, Math.floor(position))
    grid[below]! += count * (below + 1 - position)
    grid[below + 1]! += count * (position - below)
  }
  const lowest = grid.findIndex((count) => count > 0)
  return { values: grid.map((_, i) => min + i * step).slice(lowest), counts: grid.slice(lowest) }
}

/**
 * Between two neighbours the true values may lie anywhere: in a stretch of close ones they lie in the middle of each gap on average,
 * which moves half a value from the stretch's lower end to its upper one.
 */
function centreStretches({ values, counts }: WeightedValues): void {
  const { squares, n } = moments({ values, counts })
  const close = closeShare * Math.sqrt(squares / n)
  let start = 0
  for (let i = 1; i <= values.length; i++) {
    if (i < values.length && (values[i] as number) - (values[i - 1] as number) <= close) continue
    const moved = i - 1 > start ? Math.min(0.5, (counts[start] as number) / 2) : 0
    counts[start]! -= moved
    counts[i - 1]! += moved
    start = i
  }
}

function moments({ values, counts }: WeightedValues) {
  let n = 0
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    n += counts[i] as number
    sum += (counts[i] as number) * (values[i] as number)
  }
  const mean = sum / n
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += (counts[i] as number) * ((values[i] as number) - mean) ** 2
  return { n, mean, squares, deviation: Math.sqrt(squares / n / (n + 1)) }
}
