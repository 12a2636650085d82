import { describe, expect, it } from "vitest"
import { crossoverWords } from "../../reports/bench/words/answer-lengths.ts"
import { crossovers } from "../../src/bench/crossovers.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"

const figure = (value: number, half: number): Figure =>
  ({ status: "known", value, unit: "ms", n: 100, low: value - half, high: value + half, source: "measured" }) as never

function level(variant: string, ttftMs: Figure, tpotMs: Figure, more: Partial<BenchLevel> = {}): BenchLevel {
  const speed = { ttftMs: { p50: ttftMs }, tpotMs: { p50: tpotMs } }
  return {
    variant,
    plan: { kind: "closed", concurrency: 8 },
    offeredRate: null,
    speed,
    doubtful: [],
    ...more,
  } as unknown as BenchLevel
}

describe("where one variant becomes faster than another", () => {
  const early = level("early", figure(100, 5), figure(30, 1))
  const late = level("late", figure(400, 5), figure(10, 1))

  it("is said with the load at which it was measured", () => {
    const result = crossovers([early, late])
    expect(result).toMatchObject([{ early: "early", late: "late", tokens: 16, atMs: 550 }])
    expect(crossoverWords({ crossovers: result } as never)).toEqual([
      "8 in flight: early is faster for answers of up to 16.0 tokens (550 ms), late for longer ones",
    ])
  })

  it("is not said where lines differ by chance, of a level that is invalid, or of different loads", () => {
    expect(crossovers([level("early", figure(390, 20), figure(30, 1)), late])).toEqual([])
    expect(crossovers([level("early", figure(100, 5), figure(11, 1)), late])).toEqual([])
    expect(
      crossovers([level("early", figure(100, 5), { status: "known", value: 30, unit: "ms", n: 9 } as never), late]),
    ).toEqual([])
    expect(crossovers([{ ...early, doubtful: [{ figure: "TTFT p50" } as never] }, late])).toEqual([])
    expect(crossovers([{ ...early, plan: { kind: "closed", concurrency: 4 } } as never, late])).toEqual([])
  })
})
