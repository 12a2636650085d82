import { describe, expect, it } from "vitest"
import type { ClientLoad } from "../../../src/core/client-load.ts"
import { parallelLoads, successiveLoads } from "../../../src/perf/client/client-loads.ts"

const load = (changes: Partial<ClientLoad>): ClientLoad => ({
  loops: 1,
  eventLoopUtilisation: 0.5,
  eventLoopDelayMsP99: 1,
  gcMs: 2,
  gcCount: 1,
  involuntaryContextSwitches: 10,
  cpuSeconds: 0.5,
  durationMs: 1000,
  ...changes,
})

describe("loads of several loops", () => {
  it("at the same time are as busy as the busiest, and count the process's CPU once", () => {
    const joined = parallelLoads([load({}), load({ eventLoopUtilisation: 0.9, eventLoopDelayMsP99: 4 })])
    expect(joined).toEqual(load({ loops: 2, eventLoopUtilisation: 0.9, eventLoopDelayMsP99: 4, gcMs: 4, gcCount: 2 }))
  })

  it("one after the other are weighted by their time, and add up", () => {
    const joined = successiveLoads([load({ durationMs: 3000 }), load({ eventLoopUtilisation: 0.1, durationMs: 1000 })])
    expect(joined).toMatchObject({ loops: 1, durationMs: 4000, cpuSeconds: 1, involuntaryContextSwitches: 20 })
    expect(joined.eventLoopUtilisation).toBeCloseTo(0.4, 12)
  })

  it("do not know the context switches that one of them does not", () => {
    expect(parallelLoads([load({}), load({ involuntaryContextSwitches: null })]).involuntaryContextSwitches).toBeNull()
    expect(successiveLoads([]).eventLoopUtilisation).toBe(0)
  })
})
