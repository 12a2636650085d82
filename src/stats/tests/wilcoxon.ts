import { normalCdf } from "../distributions.ts"
import { ranks, tieSizes } from "../ranks.ts"

/** How differences of exactly 0 are treated: dropped, ranked but not summed, or split between both signs. */
export type ZeroMethod = "wilcox" | "pratt" | "zsplit"

/** Options of {@link wilcoxonSignedRank}. */
export interface WilcoxonOptions {
  readonly zeros?: ZeroMethod
  /** `auto`: exact up to 50 pairs when no difference is 0 and none tie, else the normal approximation. */
  readonly mode?: "auto" | "exact" | "normal"
  readonly correction?: boolean
}

/**
 * Wilcoxon signed-rank test of paired differences (two-sided): the smaller of the rank sums and its p-value, as
 * scipy.stats.wilcoxon gives them. Null when every difference is 0 and zeros are not split.
 */
export function wilcoxonSignedRank(
  differences: ArrayLike<number>,
  options: WilcoxonOptions = {},
): { readonly statistic: number; readonly p: number } | null {
  const { zeros = "wilcox", correction = false, mode = "auto" } = options
  const all = Array.from(differences)
  const zeroCount = all.reduce((count, d) => count + Number(d === 0), 0)
  if (zeros !== "zsplit" && zeroCount === all.length) return null
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
  const statistic = Math.min(positive, negative)
  const n = used.length
  const ties = tieSizes(zeros === "pratt" ? sizes.filter((size) => size !== 0) : sizes)
  const exact = mode === "exact" || (mode === "auto" && n <= 50 && zeroCount === 0 && ties.every((size) => size === 1))
  if (exact) return { statistic, p: exactP(statistic, n) }

  let centre = (n * (n + 1)) / 4
  let spread = n * (n + 1) * (2 * n + 1)
  if (zeros === "pratt") {
    centre -= (zeroCount * (zeroCount + 1)) / 4
    spread -= zeroCount * (zeroCount + 1) * (2 * zeroCount + 1)
  }
  for (const size of ties) spread -= (size * (size * size - 1)) / 2
  const distance = Math.abs(statistic - centre)
  const z = Math.max(0, distance - (correction ? 0.5 : 0)) / Math.sqrt(spread / 24)
  return { statistic, p: 2 * normalCdf(-z) }
}

/** Counts the sign patterns whose positive rank sum is at most the statistic (rounded up, as scipy does for ties). */
function exactP(statistic: number, n: number): number {
  const most = (n * (n + 1)) / 2
  let ways = new Float64Array(most + 1)
  ways[0] = 1
  for (let rank = 1; rank <= n; rank++) {
    const next = ways.slice()
    for (let sum = rank; sum <= most; sum++) next[sum]! += ways[sum - rank] as number
    ways = next
  }
  let low = 0
  for (let sum = 0; sum <= Math.min(most, Math.ceil(statistic)); sum++) low += ways[sum] as number
  return Math.min(1, (2 * low) / 2 ** n)
}
