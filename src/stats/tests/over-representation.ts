import { logGamma } from "../distributions.ts"

/**
 * P(X ≥ drawnMarked) of the hypergeometric distribution: how often so many marked ones or more are among `drawn` of `all`, of which
 * `marked` are marked. The one-sided Fisher test. Equals `scipy.stats.hypergeom.sf(drawnMarked - 1, all, marked, drawn)`.
 *
 * @example overRepresentation({ drawnMarked: 4, drawn: 5, marked: 5, all: 10 }) // 0.1031746
 * @experimental
 */
export function overRepresentation(counts: {
  readonly drawnMarked: number
  readonly drawn: number
  readonly marked: number
  readonly all: number
}): number {
  const { drawnMarked, drawn, marked, all } = counts
  const max = Math.min(drawn, marked)
  const min = Math.max(0, drawn + marked - all)
  if (drawnMarked <= min) return 1
  if (drawnMarked > max) return 0
  const logChoose = (n: number, k: number) => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
  let term = Math.exp(
    logChoose(marked, drawnMarked) + logChoose(all - marked, drawn - drawnMarked) - logChoose(all, drawn),
  )
  let sum = term
  for (let x = drawnMarked; x < max && term > sum * 1e-17; x++) {
    term *= ((marked - x) * (drawn - x)) / ((x + 1) * (all - marked - drawn + x + 1))
    sum += term
  }
  return Math.min(1, sum)
}
