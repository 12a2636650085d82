import { chiSquareTail, logGamma, normalCdf } from "../distributions.ts"

/** Counts of two binary answers: [[a, b], [c, d]]. */
export type TwoByTwo = readonly [readonly [number, number], readonly [number, number]]

/**
 * Fisher's exact test of a 2×2 table (two-sided): the odds ratio a·d / (b·c), and p over all tables at most as likely.
 */
export function fisherExact([[a, b], [c, d]]: TwoByTwo): { readonly statistic: number; readonly p: number } {
  const row = a + b
  const column = a + c
  const n = a + b + c + d
  const logChoose = (m: number, k: number) => logGamma(m + 1) - logGamma(k + 1) - logGamma(m - k + 1)
  const logP = (x: number) => logChoose(row, x) + logChoose(n - row, column - x) - logChoose(n, column)
  const observed = logP(a)
  let p = 0
  for (let x = Math.max(0, row + column - n); x <= Math.min(row, column); x++)
    if (logP(x) <= observed + 1e-7) p += Math.exp(logP(x))
  const statistic = b * c === 0 ? (a * d === 0 ? Number.NaN : Number.POSITIVE_INFINITY) : (a * d) / (b * c)
  return { statistic, p: Math.min(1, p) }
}

/** Pearson's chi-square test of independence in a 2×2 table, with Yates' continuity correction by default. */
export function chiSquareTest(table: TwoByTwo, correction = true): { readonly statistic: number; readonly p: number } {
  const rows = table.map(([x, y]) => x + y)
  const columns = [table[0][0] + table[1][0], table[0][1] + table[1][1]]
  const n = (rows[0] as number) + (rows[1] as number)
  let statistic = 0
  table.forEach((row, i) => {
    row.forEach((count, j) => {
      const expected = ((rows[i] as number) * (columns[j] as number)) / n
      const distance = Math.abs(count - expected)
      statistic += (distance - (correction ? Math.min(0.5, distance) : 0)) ** 2 / expected
    })
  })
  return { statistic, p: chiSquareTail(statistic, 1) }
}

/** Pooled z test of two independent rates, each given as successes of n (two-sided). */
export function twoRates(
  [successesA, nA]: readonly [number, number],
  [successesB, nB]: readonly [number, number],
): { readonly statistic: number; readonly p: number } {
  const pooled = (successesA + successesB) / (nA + nB)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / nA + 1 / nB))
  const statistic = (successesA / nA - successesB / nB) / error
  return { statistic, p: 2 * normalCdf(-Math.abs(statistic)) }
}
