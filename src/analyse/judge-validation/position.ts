import { type Figure, unknown } from "../../core/report/figure.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { shareFigure } from "./figures.ts"

/**
 * One comparison in both orders: credit (1 won, 0 lost, 0.5 tie) of the same answer when it was shown first and when it was
 * shown second; null where an order brought no verdict.
 */
export interface BothOrders {
  readonly first: number | null
  readonly second: number | null
}

/** How verdicts fall on the places, and what the place alone is worth. */
export interface PositionFigures {
  readonly counts: { readonly first: number; readonly second: number; readonly tie: number; readonly invalid: number }
  /** Share of complete comparisons in which the two orders contradict each other. */
  readonly flips: Figure
  /**
   * What being shown first adds to an answer's credit: (credit when first − credit when second) / 2, whatever the answers are
   * worth; 0.1 means that the first wins 60 % between equals.
   */
  readonly advantage: Figure
}

/**
 * Position bias of a pairwise judge from comparisons made in both orders.
 *
 * @param keys unit of each comparison (its sample): comparisons of one sample may be dependent
 * @param alpha 1 − the level of the intervals
 */
export function positionFigures(pairs: readonly BothOrders[], keys: readonly string[], alpha = 0.05): PositionFigures {
  const counts = { first: 0, second: 0, tie: 0, invalid: 0 }
  for (const { first, second } of pairs) {
    counts[winner(first)]++
    counts[winner(second === null ? null : 1 - second)]++
  }
  const complete = pairs.flatMap(({ first, second }, i) =>
    first === null || second === null ? [] : [{ first, second, key: keys[i] as string }],
  )
  const emptyReason = noJudgeFigure.noBothOrders
  const flipped = complete.filter(({ first, second }) => first !== second).length
  return {
    counts,
    flips: shareFigure(flipped, complete.length, emptyReason, alpha),
    advantage: complete.length === 0 ? unknown(emptyReason) : advantage(complete, alpha),
  }
}

function winner(creditOfFirst: number | null): "first" | "second" | "tie" | "invalid" {
  if (creditOfFirst === null) return "invalid"
  return creditOfFirst > 0.5 ? "first" : creditOfFirst < 0.5 ? "second" : "tie"
}

function advantage(complete: readonly { first: number; second: number; key: string }[], alpha: number): Figure {
  const advantages = complete.map(({ first, second }) => (first - second) / 2)
  const keys = complete.map(({ key }) => key)
  return meanFigure(advantages, keys, [-0.5, 0.5], alpha)
}
