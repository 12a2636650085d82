import { sortedNumbers } from "../order.ts"

/**
 * Two-sample Kolmogorov–Smirnov test (two-sided): the largest distance between both empirical distributions, and the exact
 * probability of one at least as large, as scipy.stats.ks_2samp gives it without ties. Finds differences of any kind in two
 * distributions, such as latencies of two variants; takes time n·m.
 * @public
 */
export function kolmogorovSmirnov(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
): { readonly statistic: number; readonly p: number } {
  const a = sortedNumbers(first)
  const b = sortedNumbers(second)
  const [n, m] = [a.length, b.length]
  // Distances are counted in whole steps of 1 / (n·m), so that none is lost to rounding.
  let max = 0
  for (let i = 0, j = 0; i < n && j < m; ) {
    const value = Math.min(a[i] as number, b[j] as number)
    while (i < n && a[i] === value) i++
    while (j < m && b[j] === value) j++
    max = Math.max(max, Math.abs(i * m - j * n))
  }
  return { statistic: max / (n * m), p: reachProbability(n, m, max) }
}

/** Probability that a random order of n and m values is somewhere at least `least` steps apart (Hodges 1958). */
function reachProbability(n: number, m: number, min: number): number {
  const row = new Float64Array(m + 1)
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= m; j++) {
      if (Math.abs(i * m - j * n) >= min) row[j] = 1
      else
        row[j] = ((j > 0 ? j * (row[j - 1] as number) : 0) + (i > 0 ? i * (row[j] as number) : 0)) / Math.max(1, i + j)
    }
  return row[m] as number
}
