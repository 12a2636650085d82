import { createRandom } from "evalkit/engine"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { drawArrivals, gapVariation } from "../../../src/perf/load/arrivals.ts"

const random = () => createRandom(42)

describe("arrivals of an open loop", () => {
  it("spaces constant arrivals evenly", () => {
    expect([...drawArrivals({ process: "constant", ratePerSecond: 10, count: 4 }, random())]).toEqual([
      0, 100, 200, 300,
    ])
    expect(drawArrivals({ process: "constant", ratePerSecond: 50, durationMs: 1000 }, random())).toHaveLength(50)
  })

  it("offers the rate that was asked for, in every process", () => {
    for (const process of ["constant", "poisson", "gamma"] as const) {
      expect(drawArrivals({ process, ratePerSecond: 20, count: 101, cv: 2 }, random()).at(-1)).toBeCloseTo(5000, 6)
      expect(drawArrivals({ process, ratePerSecond: 20, durationMs: 5000, cv: 2 }, random())).toHaveLength(100)
    }
  })

  it("has no more and no fewer requests in a part of its time than Poisson arrivals", () => {
    const counts = Array.from({ length: 2000 }, (_, seed) =>
      drawArrivals({ process: "poisson", ratePerSecond: 20, count: 101 }, createRandom(seed)).filter((at) => at <= 500),
    ).map(({ length }) => length - 1)
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length
    // Of 99 that fall at random, one tenth: binomial.
    expect(mean).toBeCloseTo(9.9, 0)
    expect(variance / (99 * 0.1 * 0.9)).toBeGreaterThan(0.9)
    expect(variance / (99 * 0.1 * 0.9)).toBeLessThan(1.1)
  })

  it("has the coefficient of variation of its process", () => {
    const variation = (process: "poisson" | "gamma", cv?: number) =>
      gapVariation(
        drawArrivals({ process, ratePerSecond: 1, count: 100_000, ...(cv === undefined ? {} : { cv }) }, random()),
      )
    expect(variation("poisson")).toBeCloseTo(1, 1)
    expect(variation("gamma", 0.5)).toBeCloseTo(0.5, 1)
    expect(variation("gamma", 1.09)).toBeCloseTo(1.09, 1)
    // A variation of 13 has so heavy a tail that 100,000 draws only come near it.
    expect(variation("gamma", 13.2)).toBeGreaterThan(10)
    expect(variation("gamma", 13.2)).toBeLessThan(17)
  })

  it("draws the same schedule from the same seed, ascending", () => {
    const options = fc.record({
      process: fc.constantFrom("constant" as const, "poisson" as const, "gamma" as const),
      ratePerSecond: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
      count: fc.integer({ min: 1, max: 200 }),
      cv: fc.double({ min: 0, max: 20, noNaN: true }),
    })
    fc.assert(
      fc.property(options, fc.integer(), (drawn, seed) => {
        const arrivals = drawArrivals(drawn, createRandom(seed))
        expect(arrivals).toEqual(drawArrivals(drawn, createRandom(seed)))
        expect(arrivals).toHaveLength(drawn.count)
        expect(arrivals).toEqual(arrivals.slice().sort())
        expect(arrivals[0]).toBe(0)
      }),
    )
  })

  it("refuses what would never end or never begin", () => {
    expect(() => drawArrivals({ process: "poisson", ratePerSecond: 5 }, random())).toThrow(
      /number of requests or a duration/,
    )
    expect(() => drawArrivals({ process: "poisson", ratePerSecond: 0, count: 5 }, random())).toThrow(
      /rate must be above 0/,
    )
    expect(() => drawArrivals({ process: "gamma", ratePerSecond: 1, count: 5, cv: -1 }, random())).toThrow(/cv/)
  })
})
