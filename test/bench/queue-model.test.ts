import { describe, expect, it } from "vitest"
import { longRunOf, shareWithin, waitsOf } from "../../src/bench/queue-model.ts"
import { createRandom } from "../../src/core/random.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"
import { mean } from "../../src/stats/mean.ts"

const unit = drawArrivals({ process: "poisson", ratePerSecond: 1, count: 200_000 }, createRandom("unit"))

describe("a queue of equal service times", () => {
  it("lets a request wait until a place is free", () => {
    expect([...waitsOf([0, 1, 2, 25, 100], { slots: 2, serviceMs: 10 })]).toEqual([0, 0, 8, 0, 0])
    expect([...waitsOf([0, 0, 0, 0], { slots: 1, serviceMs: 10 })]).toEqual([0, 10, 20, 30])
  })

  it.each([0.3, 0.6, 0.8])("has the mean wait of Pollaczek and Khinchine at a load of %s", (load) => {
    const waits = waitsOf(unit, { slots: 1, serviceMs: 1000 * load })
    const expected = (1000 * load * load) / (2 * (1 - load))
    expect(mean(waits) / expected).toBeGreaterThan(0.95)
    expect(mean(waits) / expected).toBeLessThan(1.05)
  })
})

describe("the long run of a queue", () => {
  it("keeps fewer within their time the higher the rate, and those that wait together say less than as many alone", () => {
    const longRun = longRunOf({ slots: 8, serviceMs: 652, maxWaitMs: 652 }, unit, 300)
    const rates = [2, 6, 8, 10, 11, 12]
    const shares = rates.map((rate) => longRun(rate).share)
    expect(shares[0]).toBeGreaterThan(0.999)
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    expect(longRun(10.38).share).toBeCloseTo(0.95, 1)
    expect(longRun(10.38).inflation).toBeGreaterThan(10)
  })

  it("is that of one level where all its requests stand in a row", () => {
    const longRun = longRunOf({ slots: 2, serviceMs: 20, maxWaitMs: 80 }, unit, unit.length)
    const waits = waitsOf(
      unit.map((atMs) => atMs / 83),
      { slots: 2, serviceMs: 20 },
    )
    expect(longRun(83).share).toBe(shareWithin(waits, 80))
  })
})
