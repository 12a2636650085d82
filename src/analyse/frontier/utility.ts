import type { FrontierAxis, FrontierPoint } from "../../core/report/frontier.ts"
import { minimised } from "./frontier.ts"

/** Where a variant is the best choice under some weighting of the axes. @experimental */
export interface UtilityShare {
  readonly variant: string
  /** Share of all weightings for which it wins, 0..1. */
  readonly share: number
  /** With two axes: the weights of the first axis (0..1) between which it wins; null when it wins nowhere. */
  readonly firstAxisWeight: { readonly from: number; readonly to: number } | null
}

/** Steps of the grid of weights. */
const steps = 200

/**
 * For which weights each variant has the highest utility, when every axis is scaled to 0 (worst variant) .. 1 (best) and
 * utility is the weighted sum. Weights are taken on a grid over all combinations that add up to 1; ties share.
 * @experimental
 */
export function utilityShares(axes: readonly FrontierAxis[], points: readonly FrontierPoint[]): UtilityShare[] {
  const scaled = scaledScores(axes, points)
  const wins = points.map(() => 0)
  const range = points.map((): { from: number; to: number } | null => null)
  const grid = weightGrid(axes.length)
  for (const weights of grid) {
    const utilities = scaled.map((scores) => scores.reduce((sum, score, k) => sum + score * (weights[k] as number), 0))
    const best = Math.max(...utilities)
    const winners = utilities.flatMap((utility, i) => (utility > best - 1e-12 ? [i] : []))
    for (const i of winners) {
      wins[i]! += 1 / winners.length
      const first = weights[0] as number
      const seen = range[i]
      range[i] = { from: Math.min(seen?.from ?? first, first), to: Math.max(seen?.to ?? first, first) }
    }
  }
  return points.map((point, i) => ({
    variant: point.variant,
    share: (wins[i] as number) / grid.length,
    firstAxisWeight: axes.length === 2 ? (range[i] ?? null) : null,
  }))
}

function scaledScores(axes: readonly FrontierAxis[], points: readonly FrontierPoint[]): number[][] {
  const rows = points.map(({ values }) => minimised(axes, values))
  return rows.map((row) =>
    row.map((value, k) => {
      const column = rows.map((other) => other[k] as number)
      const worst = Math.max(...column)
      const width = worst - Math.min(...column)
      return width === 0 ? 1 : (worst - value) / width
    }),
  )
}

function weightGrid(axes: number): number[][] {
  if (axes === 1) return [[1]]
  const fineness = axes === 2 ? steps : Math.round(steps / 4)
  const build = (left: number, remaining: number): number[][] =>
    remaining === 1
      ? [[left / fineness]]
      : Array.from({ length: left + 1 }, (_, taken) =>
          build(left - taken, remaining - 1).map((rest) => [taken / fineness, ...rest]),
        ).flat()
  return build(fineness, axes)
}
