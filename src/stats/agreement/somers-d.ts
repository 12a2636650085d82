import { normalCdf } from "../distributions.ts"
import type { Correlation } from "./correlation.ts"

/**
 * Somers' D of y given x: how much likelier a pair that x orders is ordered the same way by y than the other way.
 * Asymmetric; p from the asymptotic error, as scipy.stats.somersd. NaN when a side does not vary. O(n²).
 * @public
 */
export function somersD(x: ArrayLike<number>, y: ArrayLike<number>): Correlation {
  const n = x.length
  let score = 0
  let squares = 0
  let ordered = 0
  let orderedY = 0
  for (let i = 0; i < n; i++) {
    let own = 0
    for (let j = 0; j < n; j++) {
      const dx = Math.sign((x[i] as number) - (x[j] as number))
      const dy = Math.sign((y[i] as number) - (y[j] as number))
      own += dx * dy
      ordered += Number(dx !== 0)
      orderedY += Number(dy !== 0)
    }
    score += own
    squares += own * own
  }
  if (ordered === 0 || orderedY === 0) return { statistic: Number.NaN, p: Number.NaN }
  const spread = Math.sqrt(Math.max(0, squares - (score * score) / n))
  const p = spread > 0 ? 2 * normalCdf(-Math.abs(score) / (2 * spread)) : score === 0 ? 1 : 0
  return { statistic: score / ordered, p }
}
