import { benchResult } from "../../../src/bench/bench-result.ts"
import { measureLevel } from "../../../src/bench/measure-level.ts"
import { meanMetric } from "../../../src/core/metric/mean-metric.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { saturationOf } from "../../../src/perf/bench/saturation.ts"
import { parseSlo, sloShare } from "../../../src/perf/bench/slo.ts"
import { minLoopRequests } from "../../../src/perf/load/load-units.ts"
import { fakeSession, loadDefaults } from "../../bench/fake-session.ts"
import { virtualClock } from "../../bench/virtual-clock.ts"
import { tokenPrice } from "../../cost/generations.ts"
import { noResources } from "../fake-provider.ts"

const slo = parseSlo("ttft<30ms,e2e<60ms")
const loads = [1, 2, 4, 8, 16, 32, 64]
const correct = meanMetric({ name: "correct", signature: "correct|v1", measure: () => 1 })

const noLoad = {
  ...{ loops: 1, eventLoopUtilisation: 0, eventLoopDelayMsP99: 0, gcMs: 0, gcCount: 0 },
  ...{ involuntaryContextSwitches: null, cpuSeconds: 0, durationMs: 0 },
}
const clientError = {
  ...{ ttftMsP50: 1, ttftMsP99: 2, itlMsP50: 0.1, itlMsP99: 0.5, requests: 100, chunks: 500 },
  ...{ chunksPerSecond: 250, concurrency: 1, load: noLoad },
}

/** A sweep of a service with eight places: beyond them requests wait, answers get worse and some fail. */
async function sweep(variant: string): Promise<readonly BenchLevel[]> {
  const levels: BenchLevel[] = []
  for (const concurrency of loads) {
    const session = fakeSession((index) => ({
      firstMs: 3 + Math.max(0, concurrency - 8),
      intervalMs: 1,
      tokens: 5,
      outcome: concurrency > 16 && index % 20 === 0 ? "timeout_first_token" : "ok",
    }))
    const message = () => ({ messages: [{ role: "user" as const, content: "hello" }], parameters: {} })
    const [level] = await measureLevel({
      ...loadDefaults,
      clock: virtualClock(),
      targets: [
        {
          name: variant,
          session,
          price: tokenPrice,
          contextWindow: { tokens: 64, source: "a test" },
          requestOf: message,
          warmUpRequestOf: message,
          metrics: [correct],
          primary: correct.name,
          async score(_, index) {
            const value = Number(index % concurrency < 8)
            return { rows: [{ sampleId: `s${index}`, repeat: 0, measured: { status: "scored", row: value }, value }] }
          },
        },
      ],
      plan: { kind: "closed", concurrency, requests: Math.max(40, minLoopRequests(concurrency)) },
      blocks: 1,
      slo,
      signal: new AbortController().signal,
      calibrate: async () => clientError,
    })
    levels.push(level as BenchLevel)
  }
  return levels
}

/** A sweep of each variant over seven loads, as a bench gives it. */
export async function sweptBench(variants: readonly string[]): Promise<BenchResult> {
  const swept = new Map<string, readonly BenchLevel[]>()
  for (const variant of variants) swept.set(variant, await sweep(variant))
  const points = (levels: readonly BenchLevel[]) =>
    levels.map(({ speed, sloAttainment }, i) => ({
      concurrency: loads[i] as number,
      throughput: speed.systemTokensPerSecond,
      sloAttainment,
      sloShare: sloShare(slo),
    }))
  const reason = "the endpoint was not started here, so its processes cannot be seen"
  return benchResult({
    levels: [...swept.values()].flat(),
    coldStarts: new Map(),
    saturation: new Map([...swept].map(([variant, levels]) => [variant, saturationOf(points(levels))])),
    searches: new Map(),
    resources: new Map(variants.map((variant) => [variant, { ...noResources, reason }])),
    queriesPerMonth: 1_000_000,
    slo,
    availabilityTarget: 0.999,
    interrupted: false,
    budgetSpent: null,
  })
}
