import { normalCdf } from "../distributions.ts"
import { ranks, tieSizes } from "../ranks.ts"
import { roundedDifferences } from "../rounded.ts"

/** How differences of exactly 0 are treated: dropped, ranked but not summed, or split between both signs. @public */
export type ZeroMethod = "wilcox" | "pratt" | "zsplit"

/** What the test speaks against: no difference either way, or none below (above) 0. @public */
export type Alternative = "two-sided" | "less" | "greater"

/** Options of {@link wilcoxonSignedRank}. @public */
export interface WilcoxonOptions {
  readonly zeros?: ZeroMethod
  /**
   * `auto`, as scipy 1.18.1: the exact table up to 50 differences without ties and zeros; every sign pattern up to 13 with
   * them; else the normal approximation. `exact` uses the table even where ties make it an approximation.
   */
  readonly mode?: "auto" | "exact" | "normal"
  readonly correction?: boolean
  readonly alternative?: Alternative
}

const tableUpTo = 50
const patternsUpTo = 13

/**
 * Wilcoxon signed-rank test of paired differences: the smaller of the rank sums (one-sided: that of the positive ones) and
 * its p, as scipy.stats.wilcoxon 1.18.1 gives them. Differences are rounded to 12 digits before ties are counted. Null where
 * the normal approximation has nothing to go on, because every difference is 0.
 * @public
 */
export function wilcoxonSignedRank(
  differences: ArrayLike<number>,
  options: WilcoxonOptions = {},
): { readonly statistic: number; readonly p: number } | null {
  const { zeros = "wilcox", correction = false, mode = "auto", alternative = "two-sided" } = options
  const all = roundedDifferences(differences)
  if (all.length === 0) return null
  const zeroCount = all.reduce((count, d) => count + Number(d === 0), 0)
  const used = zeros === "wilcox" ? all.filter((d) => d !== 0) : all
  const sizes = used.map(Math.abs)
  const rank = ranks(sizes)
  let positive = 0
  let negative = 0
  let zeroRanks = 0
  used.forEach((d, i) => {
    if (d > 0) positive += rank[i] as number
    else if (d < 0) negative += rank[i] as number
    else zeroRanks += rank[i] as number
  })
  if (zeros === "zsplit") {
    positive += zeroRanks / 2
    negative += zeroRanks / 2
  }
  const statistic = alternative === "two-sided" ? Math.min(positive, negative) : positive
  const result = (tails: Tails) => ({ statistic, p: oneOf(tails, alternative) })
  const n = used.length
  const clean = zeroCount === 0 && tieSizes(sizes).every((size) => size === 1)
  if (mode === "exact" || (mode === "auto" && clean && all.length <= tableUpTo)) return result(tableTails(positive, n))
  if (mode === "auto" && all.length <= patternsUpTo) {
    const moving = Array.from(used, (d, i) => (d === 0 ? 0 : (rank[i] as number))).filter((r) => r > 0)
    return result(patternTails(moving, positive - (zeros === "zsplit" ? zeroRanks / 2 : 0)))
  }
  const ties = tieSizes(zeros === "pratt" ? sizes.filter((size) => size !== 0) : sizes)
  let centre = (n * (n + 1)) / 4
  let spread = n * (n + 1) * (2 * n + 1)
  if (zeros === "pratt") {
    centre -= (zeroCount * (zeroCount + 1)) / 4
    spread -= zeroCount * (zeroCount + 1) * (2 * zeroCount + 1)
  }
  for (const size of ties) spread -= (size * (size * size - 1)) / 2
  if (spread <= 0) return null
  const error = Math.sqrt(spread / 24)
  let z = (positive - centre) / error
  if (correction) z -= ({ less: -1, greater: 1, "two-sided": Math.sign(z) }[alternative] * 0.5) / error
  return result({ less: normalCdf(z), greater: normalCdf(-z) })
}

interface Tails {
  readonly less: number
  readonly greater: number
}

function oneOf({ less, greater }: Tails, alternative: Alternative): number {
  if (alternative === "two-sided") return Math.min(1, 2 * Math.min(less, greater))
  return alternative === "less" ? less : greater
}

/** Tails of the table for n distinct ranks; a half rank from ties is rounded to the less significant side. */
function tableTails(positive: number, n: number): Tails {
  const ways = signedSums(Array.from({ length: n }, (_, i) => i + 1))
  return tailsOf(ways, Math.ceil(positive), Math.floor(positive))
}

/** Tails over all sign patterns of the ranks as they are, ties and all: ranks are halves, so they are counted twofold. */
function patternTails(moving: readonly number[], positive: number): Tails {
  const ways = signedSums(moving.map((rank) => Math.round(2 * rank)))
  return tailsOf(ways, Math.round(2 * positive), Math.round(2 * positive))
}

/** Share of the sign patterns in which the positive ranks add up to each sum. */
function signedSums(parts: readonly number[]): Float64Array {
  const max = parts.reduce((sum, part) => sum + part, 0)
  let ways = new Float64Array(max + 1)
  ways[0] = 1
  for (const part of parts) {
    const next = ways.map((share) => share / 2)
    for (let sum = part; sum <= max; sum++) next[sum]! += (ways[sum - part] as number) / 2
    ways = next
  }
  return ways
}

function tailsOf(ways: Float64Array, upTo: number, from: number): Tails {
  const sum = (part: Float64Array) => part.reduce((total, share) => total + share, 0)
  return {
    less: Math.min(1, sum(ways.subarray(0, upTo + 1))),
    greater: Math.min(1, sum(ways.subarray(Math.max(0, from)))),
  }
}
