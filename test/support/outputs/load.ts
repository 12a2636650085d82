import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { sweptBench } from "../pages/swept-bench.ts"

const clientLoad: BenchLevel["clientLoad"] = {
  loops: 1,
  eventLoopUtilisation: 0.18,
  eventLoopDelayMsP99: 0.4,
  gcMs: 12,
  gcCount: 3,
  involuntaryContextSwitches: 7,
  cpuSeconds: 0.9,
  durationMs: 5000,
}

/** A sweep of each variant whose client was as busy in every run of the test: the sweep itself has a clock of its own, its client has not. */
export async function steadySweep(variants: readonly string[]): Promise<BenchResult> {
  const swept = await sweptBench(variants)
  const levels = swept.levels.map(
    (level): BenchLevel => ({
      ...level,
      clientLoad,
      clientError: level.clientError && { ...level.clientError, ttftMsP99: 0.2, itlMsP99: 0.05, load: clientLoad },
      doubtful: [],
    }),
  )
  return { ...swept, levels }
}
