import { normalCdf } from "../distributions.ts"
import { tieSizes } from "../ranks.ts"
import type { Correlation } from "./correlation.ts"

/** Options of {@link kendall}. @public */
export interface KendallOptions {
  /** b corrects for ties on both sides, c for tables that are not square. */
  readonly variant?: "b" | "c"
  /** `auto`: exact without ties up to 33 pairs (or when nearly all pairs agree), else normal. */
  readonly mode?: "auto" | "normal"
}

/**
 * Kendall's rank correlation from concordant and discordant pairs, as scipy.stats.kendalltau gives it. O(n²).
 * @public
 */
export function kendall(x: ArrayLike<number>, y: ArrayLike<number>, options: KendallOptions = {}): Correlation {
  const { variant = "b", mode = "auto" } = options
  const n = x.length
  const { concordant, discordant, tiedX, tiedY, tiedBoth } = countPairs(x, y)
  const total = (n * (n - 1)) / 2
  if (tiedX + tiedBoth === total || tiedY + tiedBoth === total) return { statistic: Number.NaN, p: Number.NaN }
  const score = concordant - discordant
  const tiesX = tieSizes(x)
  const tiesY = tieSizes(y)
  const classes = Math.min(tiesX.length, tiesY.length)
  const raw =
    variant === "b"
      ? score / Math.sqrt(total - tiedX - tiedBoth) / Math.sqrt(total - tiedY - tiedBoth)
      : (2 * (score / n ** 2)) / ((classes - 1) / classes)
  const statistic = Math.max(-1, Math.min(1, raw))
  const untied = tiedX === 0 && tiedY === 0 && tiedBoth === 0
  const agreeing = Math.min(discordant, total - discordant)
  if (mode === "auto" && untied && (n <= 33 || agreeing <= 1)) return { statistic, p: kendallExact(n, agreeing) }
  const sums = (sizes: readonly number[], of: (t: number) => number) => sizes.reduce((sum, t) => sum + of(t), 0)
  const v0 = n * (n - 1) * (2 * n + 5)
  const vx = sums(tiesX, (t) => t * (t - 1) * (2 * t + 5))
  const vy = sums(tiesY, (t) => t * (t - 1) * (2 * t + 5))
  const pairs = (sizes: readonly number[]) => sums(sizes, (t) => t * (t - 1))
  const triples = (sizes: readonly number[]) => sums(sizes, (t) => t * (t - 1) * (t - 2))
  const m = n * (n - 1)
  const spread =
    (v0 - vx - vy) / 18 +
    (pairs(tiesX) * pairs(tiesY)) / (2 * m) +
    (triples(tiesX) * triples(tiesY)) / (9 * m * (n - 2))
  return { statistic, p: 2 * normalCdf(-Math.abs(score / Math.sqrt(spread))) }
}

function countPairs(x: ArrayLike<number>, y: ArrayLike<number>) {
  const counts = { concordant: 0, discordant: 0, tiedX: 0, tiedY: 0, tiedBoth: 0 }
  for (let i = 0; i < x.length; i++)
    for (let j = 0; j < i; j++) {
      const dx = Math.sign((x[i] as number) - (x[j] as number))
      const dy = Math.sign((y[i] as number) - (y[j] as number))
      if (dx === 0 && dy === 0) counts.tiedBoth++
      else if (dx === 0) counts.tiedX++
      else if (dy === 0) counts.tiedY++
      else if (dx === dy) counts.concordant++
      else counts.discordant++
    }
  return counts
}

/** Two-sided p of `inversions` (the smaller tail) among the n! orders, by counting permutations with few inversions. */
function kendallExact(n: number, inversions: number): number {
  if (n === 1) return 1
  const pairs = (n * (n - 1)) / 2
  if (2 * inversions === pairs) return 1
  // share[k]: share of the orders of the first j items with k inversions.
  let share = new Float64Array(inversions + 1)
  share[0] = 1
  for (let j = 2; j <= n; j++) {
    const next = new Float64Array(inversions + 1)
    let window = 0
    for (let k = 0; k <= inversions; k++) {
      window += share[k] as number
      if (k >= j) window -= share[k - j] as number
      next[k] = window / j
    }
    share = next
  }
  return Math.min(1, 2 * share.reduce((sum, value) => sum + value, 0))
}
