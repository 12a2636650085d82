import type { Answer } from "../core/generation.ts"
import { isFailure } from "../core/outcome.ts"
import type { Figure } from "../core/report/figure.ts"
import { type Constraint, limitState } from "../estimate/constraints.ts"
import { seriesDistribution } from "../perf/distribution.ts"
import { requestFigures } from "../perf/request-figures.ts"
import { wilsonRate } from "../perf/wilson.ts"

/** What was found of the candidate when a rule stopped it. */
export interface StopFinding {
  readonly limits: readonly { readonly constraint: Constraint; readonly figure: Figure }[]
  /** Calls that it is found by: the last ones. */
  readonly calls: number
}

/** Watches the last calls of the candidate. */
export interface StopRule {
  /** Takes the next call; what was found, once all of the rule's limits hold. */
  add(answer: Pick<Answer, "outcome" | "log" | "usage">): StopFinding | null
}

/** 1 − the level of the intervals: a rule is looked at after each call, and is to stop nothing by chance. */
const alpha = 0.001

interface CallFigures {
  readonly isAvailable: boolean
  readonly ttftMs: number | null
  readonly e2eMs: number | null
}

const statistics = ["mean", "p50", "p90", "p95", "p99"] as const

/** Figures that a rule can name. */
export const stopFigures: readonly string[] = [
  "availability",
  ...statistics.flatMap((statistic) => [`ttftMs.${statistic}`, `e2eMs.${statistic}`]),
]

/**
 * A rule over the last calls: it holds where the whole interval of each figure does. Not looked at before there are as many calls.
 *
 * @param constraints what must hold together, of {@link stopFigures}
 * @param calls length of the window
 */
export function createStopRule(constraints: readonly Constraint[], calls: number): StopRule {
  const window: CallFigures[] = []
  return {
    add({ outcome, log, usage }) {
      const isAvailable = !isFailure(outcome)
      const { ttftMs, e2eMs } = requestFigures(log, usage.completionTokens, usage.reasoningTokens)
      window.push({ isAvailable, ttftMs: isAvailable ? ttftMs : null, e2eMs: isAvailable ? e2eMs : null })
      if (window.length > calls) window.shift()
      if (constraints.length === 0 || window.length < calls) return null
      const limits = constraints.map((constraint) => ({ constraint, figure: figureOf(constraint.figure, window) }))
      const holds = limits.every(
        ({ constraint, figure }) => figure.status === "known" && limitState(figure, constraint) === "kept",
      )
      return holds ? { limits, calls } : null
    },
  }
}

function figureOf(name: string, window: readonly CallFigures[]): Figure {
  if (name === "availability")
    return wilsonRate(window.filter(({ isAvailable }) => isAvailable).length, window.length, undefined, alpha)
  const [time, statistic] = name.split(".") as ["ttftMs" | "e2eMs", (typeof statistics)[number]]
  const values = Float64Array.from(window.flatMap((call) => call[time] ?? []))
  return seriesDistribution(values, "no_calls", alpha)[statistic]
}
