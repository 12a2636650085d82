import { type Figure, unknown } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { isSaturated, saturationOf } from "../../src/perf/bench/saturation.ts"

const figure = (value: number): Figure => ({ status: "known", value, n: 1, method: "measured" })
const level = (concurrency: number, tokens: number, sloAttainment: number | null = null) => ({
  concurrency,
  throughput: figure(tokens),
  sloShare: 0.95,
  sloAttainment: sloAttainment === null ? unknown("no SLO was given") : figure(sloAttainment),
})

describe("the saturation point of a sweep", () => {
  it("is the smallest concurrency with nearly the best throughput", () => {
    const levels = [level(1, 100), level(2, 195), level(4, 385), level(8, 400), level(16, 402)]
    expect(saturationOf(levels)).toEqual({
      concurrency: 4,
      throughputThere: 385,
      bestThroughput: 402,
      bestAt: 16,
      shortLevels: [],
      largestWithinSlo: null,
      reached: true,
      brokeSloAt: null,
    })
  })

  it("is not reached while throughput still grows", () => {
    expect(isSaturated([level(1, 100), level(2, 195)])).toBe(false)
    expect(isSaturated([level(1, 100)])).toBe(false)
    expect(isSaturated([level(1, 100), level(2, 195), level(4, 190)])).toBe(false)
    expect(isSaturated([level(1, 100), level(2, 195), level(4, 190), level(8, 198)])).toBe(true)
    expect(saturationOf([level(1, 100), level(2, 195)])).toMatchObject({ concurrency: 2, reached: false })
  })

  it("ends where the objectives break", () => {
    const levels = [level(1, 100, 1), level(2, 195, 0.97), level(4, 380, 0.6)]
    expect(isSaturated(levels)).toBe(true)
    expect(saturationOf(levels)).toMatchObject({
      concurrency: null,
      reached: false,
      largestWithinSlo: 2,
      brokeSloAt: 4,
    })
  })

  it("is unknown when no level ran long enough", () => {
    const levels = [{ ...level(1, 1), throughput: unknown("run too short") }]
    expect(saturationOf(levels)).toMatchObject({ concurrency: null, bestThroughput: null })
  })
})
