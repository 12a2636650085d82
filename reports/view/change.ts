import type { Figure, KnownFigure } from "../../src/core/report/figure.ts"
import type { VariantColumn } from "../view-model/variant-columns.ts"

/** How a figure moved between two runs. */
export interface Change {
  readonly arrow: "\u2197" | "\u2198" | "\u2192"
  /** Whether the move is on evidence: the intervals do not overlap. */
  readonly evident: boolean
  readonly good: boolean | null
}

/**
 * The move of a figure from one run to the next: → while the intervals overlap, else ↗ or ↘. Null when either is unknown, or has no
 * interval: one reading of a figure that varies shows no move. Unpaired: `evalkit compare` gives the paired verdict.
 */
export function changeOf(
  before: Figure,
  after: Figure,
  { goal, isExact = false }: Pick<VariantColumn, "goal" | "isExact">,
): Change | null {
  if (before.status === "unknown" || after.status === "unknown") return null
  const [a, b] = [endsOf(before, isExact), endsOf(after, isExact)]
  if (!a || !b) return null
  if (a.low <= b.high && b.low <= a.high) return { arrow: "\u2192", evident: false, good: null }
  const up = after.value > before.value
  return { arrow: up ? "\u2197" : "\u2198", evident: true, good: up === (goal === "maximize") }
}

/** Where a figure may lie: an end that nobody knows is nowhere. Null without any end; of an exact figure itself. */
function endsOf(
  { value, low, high }: KnownFigure,
  isExact: boolean,
): { readonly low: number; readonly high: number } | null {
  if (isExact) return { low: value, high: value }
  if (low == null && high == null) return null
  return { low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY }
}
