import { describe, expect, it } from "vitest"
import type { ClientError } from "../../../src/perf/client/self-calibration.ts"
import { statedPercentile, withSeenLateness } from "../../../src/perf/client/stated-error.ts"

describe("the percentile of an error that is stated", () => {
  // Ranks: one more than the 0.975 quantile of the binomial distribution of 1,000 tries (its probabilities summed in Python).
  it("is the upper end of its interval", () => {
    const errors = Float64Array.from({ length: 1000 }, (_, i) => i + 1)
    expect(statedPercentile(errors, 50)).toBe(532)
    expect(statedPercentile(errors, 99)).toBe(997)
  })

  it("is the largest error where there are too few for an interval", () => {
    expect(statedPercentile(Float64Array.from([1, 2, 9]), 99)).toBe(9)
  })
})

describe("what a load shows of its client's lateness", () => {
  const load = {
    loops: 1,
    eventLoopUtilisation: 0,
    eventLoopDelayMsP99: 0,
    gcMs: 0,
    gcCount: 0,
    involuntaryContextSwitches: 0,
    cpuSeconds: 0,
    durationMs: 0,
  }
  const calibrated: ClientError = {
    ttftMsP50: 0.2,
    ttftMsP99: 1,
    itlMsP50: 0.05,
    itlMsP99: 0.4,
    requests: 2000,
    chunks: 8000,
    chunksPerSecond: 4000,
    concurrency: 100,
    load,
  }

  it("widens the stated error, and never narrows it", () => {
    expect(withSeenLateness(calibrated, Float64Array.from([0.1, 3]))).toEqual({
      ...calibrated,
      ttftMsP50: 3,
      ttftMsP99: 3,
      itlMsP99: 3,
    })
    expect(withSeenLateness(calibrated, new Float64Array(1000).fill(0.01))).toEqual(calibrated)
  })

  it("says nothing where nothing was due at a stated moment", () => {
    expect(withSeenLateness(calibrated, new Float64Array())).toEqual(calibrated)
  })
})
