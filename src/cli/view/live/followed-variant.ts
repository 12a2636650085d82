import type { Generation } from "../../../core/generation.ts"
import { isFailure } from "../../../core/outcome.ts"
import { type Figure, unknown } from "../../../core/report/figure.ts"
import { answerLatency, isColdLatency } from "../../../perf/answer-latency.ts"
import { percentileFigure } from "../../../perf/percentile.ts"
import { createNumberList } from "../../../stats/number-list.ts"

/** One variant's answers so far: a few numbers of each, so that every look at them is quick. */
export interface FollowedVariant {
  /** Positions in the plan of the answers that were read. */
  readonly seen: Set<number>
  /** The highest of them; −1 without one. */
  readonly highest: number
  readonly failed: number
  add(generation: Generation): void
  /** Median of the time end to end: of warm answers, or of cold ones where there is no other. */
  e2eMs(): Figure
  /** What the answers cost together. */
  totalUsd(): Figure
}

/** A {@link FollowedVariant} of nothing yet; `alpha` is 1 − the level of the intervals. */
export function followVariant(alpha: number): FollowedVariant {
  const seen = new Set<number>()
  const [warm, cold] = [createNumberList(), createNumberList()]
  let highest = -1
  let failed = 0
  let usd = 0
  let unpriced: string | null = null
  return {
    seen,
    get highest() {
      return highest
    },
    get failed() {
      return failed
    },
    add(generation) {
      const { position, outcome, cost } = generation
      seen.add(position)
      highest = Math.max(highest, position)
      if (isFailure(outcome)) failed++
      const { e2eMs } = answerLatency(generation)
      if (e2eMs !== null) (isColdLatency(generation) ? cold : warm).push(e2eMs)
      if (cost.status === "known") usd += cost.usd
      else unpriced ??= cost.reason
    },
    e2eMs() {
      const times = warm.length > 0 ? warm : cold
      return times.length === 0 ? unknown("no answer was timed yet") : percentileFigure(times.sorted(), 50, "", alpha)
    },
    totalUsd() {
      if (unpriced !== null) return unknown(unpriced)
      return { status: "known", value: usd, n: seen.size, method: "sum of the answers so far" }
    },
  }
}
