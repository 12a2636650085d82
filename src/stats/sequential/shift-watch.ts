import { createRandom, type Random } from "../../core/random.ts"

/** A shift of the level of a series. */
export interface LevelShift {
  /** Number of the first value of the new level, from 0. */
  readonly at: number
  readonly before: number
  readonly after: number
}

/** Watches a series for shifts of its level, value by value. */
export interface ShiftWatch {
  /** Takes the next value. @returns the shift that it establishes; null: none */
  add(value: number): LevelShift | null
}

/** How a series is watched. */
export interface ShiftWatchOptions {
  /** Chance of a shift upwards that is none in so many values, at most; the same downwards. */
  readonly alpha: number
  readonly values: number
  /** Values that are looked back at. */
  readonly memory: number
  readonly seed: number | string
}

/** Values from one look to the next, and on each side of a split at least: few values of a skewed series look like a shift too often. */
const step = 5

/**
 * Change points while a series grows. At each look, every five values, the split with the largest standardised difference of means (that of
 * `changePoints` for equal errors) is compared with those of the same values in random order, alpha shared evenly by the looks: exact for values of
 * any distribution that are exchangeable as long as nothing changes, rare failures and heavy tails included. What comes after a shift is watched anew.
 */
export function createShiftWatch({ alpha, values: sharing, memory, seed }: ShiftWatchOptions): ShiftWatch {
  const random = createRandom(seed)
  const most = (alpha * step) / sharing
  let values: number[] = []
  let first = 0
  return {
    add(value) {
      values.push(value)
      if (values.length > memory) {
        values.shift()
        first++
      }
      if ((first + values.length) % step !== 0 || values.length < 2 * step) return null
      const at =
        riseAt(values, most, random) ??
        riseAt(
          values.map((x) => -x),
          most,
          random,
        )
      if (at === null) return null
      const [before, after] = [meanOf(values.slice(0, at)), meanOf(values.slice(at))]
      first += at
      values = values.slice(at)
      return { at: first, before, after }
    },
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Where the level rises most clearly; null where values in random order rise as clearly more often than `alpha`. */
function riseAt(values: readonly number[], alpha: number, random: Random): number | null {
  const n = values.length
  const mean = meanOf(values)
  const centred = Float64Array.from(values, (value) => mean - value)
  // (after − before) / √(1/a + 1/b) = S_a √(n / (a b)) for the sum S_a of the first a values, turned about their mean.
  const weights = Float64Array.from({ length: n - step }, (_, i) =>
    i + 1 < step ? 0 : Math.sqrt(n / ((i + 1) * (n - i - 1))),
  )
  let [sum, best, at] = [0, 1e-9, 0]
  for (let i = 0; i < weights.length; i++) {
    sum += centred[i] as number
    const rise = sum * (weights[i] as number)
    if (rise > best) [best, at] = [rise, i + 1]
  }
  if (at === 0) return null
  // p = (orders that rise as clearly + 1) / (orders + 1).
  for (let draw = 1; draw < 1 / alpha; draw++)
    if (risesInRandomOrder(centred, weights, best * (1 - 1e-9), random)) return null
  return at
}

/** Whether the values rise as clearly in a random order; they are left in it. */
function risesInRandomOrder(centred: Float64Array, weights: Float64Array, least: number, random: Random): boolean {
  const n = centred.length
  let sum = 0
  for (let i = 0; i < weights.length; i++) {
    const j = i + random.integer(n - i)
    const value = centred[j] as number
    centred[j] = centred[i] as number
    centred[i] = value
    sum += value
    if (sum * (weights[i] as number) >= least) return true
  }
  return false
}
