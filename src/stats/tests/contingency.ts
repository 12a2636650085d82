import { logGamma } from "../distributions.ts"

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
