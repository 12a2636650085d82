import { studentTwoSided } from "../distributions.ts"
import { mean } from "../mean.ts"
import { ranks } from "../ranks.ts"

/** A coefficient with its two-sided p-value; both NaN when a side does not vary. @public */
export interface Correlation {
  readonly statistic: number
  readonly p: number
}

/** Pearson's product-moment correlation, −1..1. @public */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): Correlation {
  const n = x.length
  const centreX = mean(x)
  const centreY = mean(y)
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = 0; i < n; i++) {
    const dx = (x[i] as number) - centreX
    const dy = (y[i] as number) - centreY
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  const r = Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)))
  // Two points always lie on a line: that is no evidence.
  const p = n === 2 && !Number.isNaN(r) ? 1 : correlationP(r, n)
  return { statistic: r, p }
}

/** Spearman's rank correlation: Pearson's of the ranks, ties sharing ranks. @public */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): Correlation {
  const { statistic } = pearson(ranks(x), ranks(y))
  return { statistic, p: x.length < 3 ? Number.NaN : correlationP(statistic, x.length) }
}

function correlationP(r: number, n: number): number {
  if (Number.isNaN(r)) return Number.NaN
  return Math.abs(r) === 1 ? 0 : studentTwoSided(r * Math.sqrt((n - 2) / ((1 - r) * (1 + r))), n - 2)
}
