import type { Figure } from "../../core/report/figure.ts"
import { figureValue } from "../../core/report/figure.ts"
import { listed } from "../../words/names.ts"
import { amount } from "../../words/number.ts"

/** A candidate and how far it is from the variant that all are compared with. */
interface RankedFigure {
  readonly candidate: string
  readonly summary: { readonly figure: Figure }
}

/** Candidates by their distance: `q8 (0.0012), then q5 (0.01) and q4 (0.012) with no provable difference, then q2 (0.9)`. */
export function rankWords(groups: readonly (readonly RankedFigure[])[]): string {
  const named = groups.map((group) => {
    const parts = group.map(({ candidate, summary }) => `${candidate} (${amount(figureValue(summary.figure) ?? 0)})`)
    return group.length === 1 ? parts[0] : `${listed(parts)} with no provable difference`
  })
  return named.join(", then ")
}
