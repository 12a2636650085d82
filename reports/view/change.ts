import type { Figure } from "../../src/core/report/figure.ts"

/** How a figure moved between two runs. */
export interface Change {
  readonly arrow: "\u2197" | "\u2198" | "\u2192"
  /** Whether the move is on evidence: the intervals do not overlap. */
  readonly evident: boolean
  readonly good: boolean | null
}

/**
 * The move of a figure from one run to the next: → while the intervals overlap (or have no ends), else ↗ or ↘.
 * Null when either is unknown. Unpaired: `evalkit compare` gives the paired verdict.
 */
export function changeOf(before: Figure, after: Figure, goal: "maximize" | "minimize"): Change | null {
  if (before.status === "unknown" || after.status === "unknown") return null
  const bounds = (figure: typeof before) => ({ low: figure.low ?? figure.value, high: figure.high ?? figure.value })
  const [a, b] = [bounds(before), bounds(after)]
  if (a.low <= b.high && b.low <= a.high) return { arrow: "\u2192", evident: false, good: null }
  const up = after.value > before.value
  return { arrow: up ? "\u2197" : "\u2198", evident: true, good: up === (goal === "maximize") }
}
