import { type Figure, figureValue } from "../core/report/figure.ts"
import type { BenchLevel } from "../perf/bench/bench-level.ts"
import type { Crossover } from "../perf/bench/bench-result.ts"
import { isVoid } from "../perf/bench/load-worker.ts"
import { crossover, type TokenLine, timeToTokens } from "../perf/time-to-tokens.ts"

/**
 * The answer lengths at which one variant becomes faster than another under the same load: only of valid levels, and where both the
 * times to the first token and the times per token differ beyond their intervals. Lines that differ by chance meet anywhere.
 */
export function crossovers(levels: readonly BenchLevel[]): readonly Crossover[] {
  const valid = levels.filter((level) => !isVoid(level, ["TTFT p50", "ITL p50"]))
  return valid.flatMap((a, i) =>
    valid.slice(i + 1).flatMap((b) => {
      const lines = [lineOf(a), lineOf(b)] as const
      if (a.variant === b.variant || !isSameLoad(a, b) || !differs(a, b) || !lines[0] || !lines[1]) return []
      const tokens = crossover(lines[0], lines[1])
      if (tokens === null) return []
      const [early, late] = lines[0].ttftMs < lines[1].ttftMs ? [a, b] : [b, a]
      const { plan, offeredRate } = a
      return [
        {
          early: early.variant,
          late: late.variant,
          load: { plan, offeredRate },
          tokens,
          atMs: timeToTokens(lines[0], tokens),
        },
      ]
    }),
  )
}

function isSameLoad(a: BenchLevel, b: BenchLevel): boolean {
  if (a.plan.kind === "closed") return b.plan.kind === "closed" && a.plan.concurrency === b.plan.concurrency
  return (
    b.plan.kind === "open" &&
    a.offeredRate === b.offeredRate &&
    a.plan.description === b.plan.description &&
    a.plan.maxInFlight === b.plan.maxInFlight
  )
}

function lineOf({ speed }: BenchLevel): TokenLine | null {
  const ttftMs = figureValue(speed.ttftMs.p50)
  const tpotMs = figureValue(speed.tpotMs.p50)
  return ttftMs === null || tpotMs === null ? null : { ttftMs, tpotMs }
}

function differs(a: BenchLevel, b: BenchLevel): boolean {
  return areSeparate(a.speed.ttftMs.p50, b.speed.ttftMs.p50) && areSeparate(a.speed.tpotMs.p50, b.speed.tpotMs.p50)
}

function areSeparate(a: Figure, b: Figure): boolean {
  if (a.status === "unknown" || b.status === "unknown") return false
  if (a.low == null || a.high == null || b.low == null || b.high == null) return false
  return a.high < b.low || b.high < a.low
}
