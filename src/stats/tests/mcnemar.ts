import { binomialCdf, chiSquareTail } from "../distributions.ts"

/**
 * Exact McNemar test: of the pairs that changed, are b (right→wrong) and c (wrong→right) as a fair coin would give?
 * Two-sided p = min(1, 2·P(B ≤ min(b, c))), B ~ binomial(b + c, ½); 1 when nothing changed.
 *
 * @example mcnemarExact(26, 10) // 0.01133
 * @public
 */
export function mcnemarExact(b: number, c: number): number {
  return b + c === 0 ? 1 : Math.min(1, 2 * binomialCdf(Math.min(b, c), b + c, 0.5))
}

/**
 * McNemar's chi-square with one degree of freedom, with Edwards' continuity correction on request. For large b + c;
 * NaN when nothing changed.
 * @public
 */
export function mcnemarChiSquare(b: number, c: number, correction = false): { statistic: number; p: number } {
  const statistic = (Math.abs(b - c) - (correction ? 1 : 0)) ** 2 / (b + c)
  return { statistic, p: b + c === 0 ? (correction ? 0 : Number.NaN) : chiSquareTail(statistic, 1) }
}
