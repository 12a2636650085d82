/** Largest share of the wealth that one observation may cost: keeps every bet survivable. */
const boldness = 0.9

/** Options of {@link createConfidenceSequence}. */
export interface ConfidenceSequenceOptions {
  /** Smallest and largest possible observation; observations outside are an error of the caller. */
  readonly range: readonly [number, number]
  /** Probability with which the true mean may ever leave the sequence. */
  readonly alpha: number
  /** Means that are tested exactly, besides the grid: 0, −margin. */
  readonly at?: readonly number[]
  /** Points of the grid on which the interval is read; 200 by default. */
  readonly grid?: number
}

/** An interval of a mean that may be looked at after every observation. */
export interface ConfidenceSequence {
  /** Observations so far. */
  count(): number
  add(observation: number): void
  /** Holds the true mean at all times together with probability at least 1 − alpha; never widens. */
  interval(): { readonly low: number; readonly high: number }
  /** Whether the mean is established to be above (below) one of the points given as `at`, now or at an earlier look. */
  above(mean: number): boolean
  below(mean: number): boolean
  /** Two-sided p of one of the points given as `at`, valid at every look: 2 over the most that either gambler ever held. */
  p(mean: number): number
}

/**
 * Anytime-valid confidence sequence of the mean of bounded observations by betting: for each candidate mean m two
 * gamblers bet against it, one on "higher" and one on "lower". Were m true, neither could ever multiply his stake by
 * 2 / alpha with probability above alpha / 2 (Ville), however often one looks; what they can beat is left out. Bets are
 * the approximate growth-optimal ones (aGRAPA). Waudby-Smith & Ramdas 2024, "Estimating means of bounded random
 * variables by betting". Observations must come in an order that does not depend on them.
 */
export function createConfidenceSequence(options: ConfidenceSequenceOptions): ConfidenceSequence {
  const { range, alpha, at = [], grid = 200 } = options
  const [least, largest] = range
  const width = largest - least
  const scaled = (value: number) => (value - least) / width
  const means = Float64Array.from(
    [...Array.from({ length: grid + 1 }, (_, i) => i / grid), ...at.map(scaled)].filter((m) => m > 0 && m < 1),
  ).sort()
  const higher = new Float64Array(means.length)
  const lower = new Float64Array(means.length)
  const max = new Float64Array(means.length)
  const threshold = Math.log(2 / alpha)
  let count = 0
  let sum = 0.5
  let squares = 0.25
  // The running intersection: indices of the means that are not yet left out from below and from above.
  let first = 0
  let last = means.length - 1

  const indexOf = (mean: number): number => {
    const position = means.indexOf(scaled(mean))
    if (position < 0) throw new RangeError(`${mean} was not given as a point to be tested`)
    return position
  }

  return {
    count: () => count,
    add(observation) {
      const x = scaled(observation)
      if (!(x >= 0 && x <= 1)) throw new RangeError(`${observation} is outside ${least}..${largest}`)
      // Bets depend only on what was seen before this observation.
      const centre = sum / (count + 1)
      const variance = squares / (count + 1)
      for (let i = 0; i < means.length; i++) {
        const m = means[i] as number
        const gap = centre - m
        const bet = gap / (variance + gap * gap)
        if (bet > 0) higher[i]! += Math.log1p(Math.min(bet, boldness / m) * (x - m))
        else lower[i]! += Math.log1p(-Math.min(-bet, boldness / (1 - m)) * (x - m))
        max[i] = Math.max(max[i] as number, higher[i] as number, lower[i] as number)
      }
      count++
      sum += x
      const after = sum / (count + 1)
      squares += (x - after) ** 2
      while (first < means.length && (higher[first] as number) >= threshold) first++
      while (last >= 0 && (lower[last] as number) >= threshold) last--
    },
    interval() {
      const low = first === 0 ? 0 : (means[first - 1] as number)
      const high = last === means.length - 1 ? 1 : (means[last + 1] as number)
      return { low: least + width * low, high: least + width * high }
    },
    above: (mean) => first > indexOf(mean),
    below: (mean) => last < indexOf(mean),
    p: (mean) => Math.min(1, 2 * Math.exp(-(max[indexOf(mean)] as number))),
  }
}
