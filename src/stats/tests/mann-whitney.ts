import { normalCdf } from "../distributions.ts"
import { ranks, tieSizes } from "../ranks.ts"

/**
 * Mann–Whitney U test of two independent samples (two-sided), as scipy.stats.mannwhitneyu: exact when one sample has at
 * most 8 values and nothing ties, else normal with ties and continuity correction. The statistic is U of the first.
 * @public
 */
export function mannWhitney(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  mode: "auto" | "normal" = "auto",
): { readonly statistic: number; readonly p: number } {
  const n1 = first.length
  const n2 = second.length
  const all = [...Array.from(first), ...Array.from(second)]
  let rankSum = 0
  ranks(all).forEach((rank, i) => {
    if (i < n1) rankSum += rank
  })
  const statistic = rankSum - (n1 * (n1 + 1)) / 2
  const larger = Math.max(statistic, n1 * n2 - statistic)
  const ties = tieSizes(all)
  if (mode === "auto" && Math.min(n1, n2) <= 8 && ties.every((size) => size === 1))
    return { statistic, p: Math.min(1, 2 * exactTail(n1, n2, larger)) }
  const n = n1 + n2
  const tied = ties.reduce((sum, size) => sum + size ** 3 - size, 0)
  const spread = Math.sqrt(((n1 * n2) / 12) * (n + 1 - tied / (n * (n - 1))))
  // Every value tied: nothing is ordered, so nothing speaks against equality.
  if (spread === 0) return { statistic, p: 1 }
  return { statistic, p: Math.min(1, 2 * normalCdf(-(larger - (n1 * n2) / 2 - 0.5) / spread)) }
}

/** P(U ≥ u) when all orders are equally likely, by counting placements of the first sample's ranks. */
function exactTail(n1: number, n2: number, u: number): number {
  const max = n1 * n2
  // ways[j][s]: selections of j ranks whose U is s.
  const ways = Array.from({ length: n1 + 1 }, () => new Float64Array(max + 1))
  ;(ways[0] as Float64Array)[0] = 1
  for (let rank = 1; rank <= n1 + n2; rank++)
    for (let j = Math.min(n1, rank); j >= 1; j--) {
      const gain = rank - j
      const from = ways[j - 1] as Float64Array
      const into = ways[j] as Float64Array
      for (let s = max; s >= gain; s--) into[s]! += from[s - gain] as number
    }
  const counts = ways[n1] as Float64Array
  let tail = 0
  let total = 0
  counts.forEach((count, s) => {
    total += count
    if (s >= u) tail += count
  })
  return tail / total
}
