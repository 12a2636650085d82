import { describe, expect, it } from "vitest"
import type { ClientError } from "../../../src/perf/client/self-calibration.ts"
import {
  statedOfWorstQuarter,
  statedPercentile,
  withSeenDelay,
  withSeenLateness,
} from "../../../src/perf/client/stated-error.ts"

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

describe("what is stated of the worst quarter", () => {
  it("is its percentile, since errors that follow each other have their causes in common", () => {
    const calm = Array.from({ length: 300 }, () => 0.1)
    const worse = Array.from({ length: 100 }, () => 0.4)
    expect(statedOfWorstQuarter(Float64Array.from([...calm, ...worse]), 50)).toBe(0.4)
    expect(statedPercentile(Float64Array.from([...calm, ...worse]).sort(), 50)).toBe(0.1)
    // Of all of them 0.5 % are late, of the first quarter 2 %.
    const late = Float64Array.from({ length: 4000 }, (_, i) => (i < 20 ? 3 : 0.1))
    expect(statedOfWorstQuarter(late, 99)).toBe(3)
    expect(statedPercentile(late.slice().sort(), 99)).toBe(0.1)
  })

  it("leaves the errors in their order", () => {
    const errors = Float64Array.from([3, 1, 2, 9, 5, 4, 8, 7])
    expect(statedOfWorstQuarter(errors, 50)).toBe(9)
    expect([...errors]).toEqual([3, 1, 2, 9, 5, 4, 8, 7])
  })

  it("is that of all where there are fewer than parts, and never above the stated p99", () => {
    for (let count = 1; count <= 500; count++) {
      const errors = Float64Array.from({ length: count }, (_, i) => (i * 7919) % count)
      expect(statedOfWorstQuarter(errors, 50)).toBeLessThanOrEqual(statedPercentile(errors.slice().sort(), 99))
    }
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

describe("an error whose load met a later event loop", () => {
  const calm = { eventLoopDelayMsP99: 1.5 } as ClientError["load"]
  const calibrated: ClientError = {
    ...{ ttftMsP50: 0.2, ttftMsP99: 1, itlMsP50: 0.02, itlMsP99: 0.5 },
    ...{ requests: 1, chunks: 1, chunksPerSecond: 1, concurrency: 1, load: calm },
  }

  it("is larger by how much later it was than while the error was measured", () => {
    const { ttftMsP50, ttftMsP99, itlMsP50, itlMsP99 } = withSeenDelay(calibrated, { eventLoopDelayMsP99: 14 })
    expect([ttftMsP50, ttftMsP99, itlMsP50, itlMsP99]).toEqual([0.2, 13.5, 0.02, 13])
  })

  it("is no smaller where the load met a calmer one", () => {
    expect(withSeenDelay(calibrated, { eventLoopDelayMsP99: 0.5 })).toEqual(calibrated)
  })
})
