import { normalCdf, studentQuantile } from "../distributions.ts"

/**
 * The alpha to read a bootstrap interval at so that n units keep the nominal coverage: resampling n units understates the
 * spread by √((n − 1) / n) and has normal instead of t tails. α′ = 2·Φ(−√(n / (n − 1))·t₁₋α/₂,ₙ₋₁); α itself for large n.
 * Hesterberg 2015, "What Teachers Should Know About the Bootstrap", the expanded percentile interval.
 *
 * @example expandedAlpha(0.05, 20) // 0.0318
 */
export function expandedAlpha(alpha: number, n: number): number {
  if (n < 2) return alpha
  return 2 * normalCdf(-Math.sqrt(n / (n - 1)) * studentQuantile(1 - alpha / 2, n - 1))
}
