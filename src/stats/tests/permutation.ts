import type { Random } from "../../core/random.ts"
import { normalCdf } from "../distributions.ts"
import { drawSums, streamName } from "../resampling/draw-sums.ts"
import { monteCarloError } from "./monte-carlo-error.ts"
import type { Alternative } from "./wilcoxon.ts"

/** Up to this many differences that are not 0, every sign pattern is tried. */
const exactLimit = 16
/** From so many on, the sum over random signs is normal to four digits of any p that matters. */
const normalFrom = 20_000

/** A p-value with how it was made. @public */
export interface PermutationResult {
  readonly p: number
  readonly method: "exact" | "monte_carlo" | "normal"
  /** Standard error of a p that was drawn: √(p (1 − p) / draws); 0 where every pattern was tried or the limit was taken. */
  readonly error: number
}

/**
 * Paired permutation test of a mean difference: under the null each unit's difference is as likely with the other sign. Exact
 * up to 16 non-zero units, Monte Carlo beyond, with p = (extreme + 1) / (draws + 1) and its own standard error; from 20,000
 * units on the normal limit. A unit is a sample's difference, or the sum of a cluster's, since a cluster flips as one.
 * @public
 */
export function signFlipTest(
  differences: ArrayLike<number>,
  random: Random,
  draws = 10_000,
  alternative: Alternative = "two-sided",
): PermutationResult {
  const moving = Float64Array.from(Array.from(differences).filter((d) => d !== 0))
  const n = moving.length
  if (n === 0) return { p: 1, method: "exact", error: 0 }
  let sum = 0
  let scale = 0
  for (const d of moving) {
    sum += d
    scale += Math.abs(d)
  }
  const size = { less: (s: number) => -s, greater: (s: number) => s, "two-sided": Math.abs }[alternative]
  // Sums that only differ by the order of addition count as equal.
  const observed = size(sum) - 1e-12 * scale
  if (n <= exactLimit) {
    const patterns = 2 ** n
    let extreme = 0
    for (let pattern = 0; pattern < patterns; pattern++) {
      let flipped = 0
      for (let i = 0; i < n; i++) flipped += (pattern >> i) & 1 ? (moving[i] as number) : -(moving[i] as number)
      if (size(flipped) >= observed) extreme++
    }
    return { p: extreme / patterns, method: "exact", error: 0 }
  }
  if (n >= normalFrom) {
    const squares = moving.reduce((total, d) => total + d * d, 0)
    const tail = normalCdf(-size(sum) / Math.sqrt(squares))
    return { p: alternative === "two-sided" ? 2 * tail : tail, method: "normal", error: 0 }
  }
  // Σ ±d = 2 · Σ of those that keep their sign − Σ d.
  const kept = drawSums({ kind: "flip", data: moving, size: 1, draws, seed: streamName(random) })
  let extreme = 0
  for (const part of kept) if (size(2 * part - sum) >= observed) extreme++
  const p = (extreme + 1) / (draws + 1)
  return { p, method: "monte_carlo", error: monteCarloError(p, draws) }
}
