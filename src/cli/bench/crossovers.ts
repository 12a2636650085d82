import { figureValue } from "../../core/report/figure.ts"
import type { BenchLevel } from "../../engine/bench/measure-level.ts"
import { crossover, type TokenLine, timeToTokens } from "../../perf/time-to-tokens.ts"
import { loadWords } from "./load-words.ts"

/** Where the lines of two variants meet at the same load. */
export interface Crossover {
  /** The variant that is faster up to `tokens`. */
  readonly early: string
  readonly late: string
  readonly tokens: number
  readonly atMs: number
}

/** The answer lengths at which one variant becomes faster than another. */
export function crossovers(levels: readonly BenchLevel[]): readonly Crossover[] {
  return levels.flatMap((a, i) =>
    levels.slice(i + 1).flatMap((b) => {
      const lines = [lineOf(a), lineOf(b)] as const
      if (a.variant === b.variant || loadWords(a) !== loadWords(b) || !lines[0] || !lines[1]) return []
      const tokens = crossover(lines[0], lines[1])
      if (tokens === null) return []
      const [early, late] = lines[0].ttftMs < lines[1].ttftMs ? [a, b] : [b, a]
      return [{ early: early.variant, late: late.variant, tokens, atMs: timeToTokens(lines[0], tokens) }]
    }),
  )
}

function lineOf({ speed }: BenchLevel): TokenLine | null {
  const ttftMs = figureValue(speed.ttftMs.p50)
  const tpotMs = figureValue(speed.tpotMs.p50)
  return ttftMs === null || tpotMs === null ? null : { ttftMs, tpotMs }
}
