import { type Figure, unknown } from "evalkit"
import { describe, expect, it } from "vitest"
import { searchRate } from "../../../src/engine/bench/search-rate.ts"
import { isSaturated, saturationOf } from "../../../src/perf/bench/saturation.ts"

const known = (value: number): Figure => ({ status: "known", value, n: 1, method: "measured" })
const level = (concurrency: number, tokens: number, goodput: number | null = null) => ({
  concurrency,
  throughput: known(tokens),
  goodput: goodput === null ? unknown("no SLO was given") : known(goodput),
})

describe("the saturation point of a sweep", () => {
  it("is the smallest concurrency with nearly the best throughput", () => {
    const levels = [level(1, 100), level(2, 195), level(4, 385), level(8, 400), level(16, 402)]
    expect(saturationOf(levels)).toEqual({
      concurrency: 4,
      bestThroughput: 402,
      largestWithinSlo: null,
      reached: true,
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
    expect(saturationOf(levels)).toMatchObject({ largestWithinSlo: 2 })
  })

  it("is unknown when no level ran long enough", () => {
    const levels = [{ concurrency: 1, throughput: unknown("run too short"), goodput: unknown("") }]
    expect(saturationOf(levels)).toMatchObject({ concurrency: null, bestThroughput: null })
  })
})

describe("the search for the highest rate", () => {
  const limit = (most: number) => async (rate: number) => rate <= most

  it("closes in on the limit from below and from above", async () => {
    for (const startRate of [1, 100]) {
      const search = await searchRate(limit(13), { startRate })
      expect(search.highestRate).toBeLessThanOrEqual(13)
      expect(search.lowestBroken).toBeGreaterThan(13)
      expect((search.lowestBroken as number) / (search.highestRate as number)).toBeLessThanOrEqual(1.05)
    }
  })

  it("ends after its trials and says which side it never saw", async () => {
    expect(await searchRate(limit(0), { startRate: 1, maxTrials: 4 })).toMatchObject({
      highestRate: null,
      lowestBroken: 0.125,
    })
    expect(await searchRate(limit(1e9), { startRate: 1, maxTrials: 4 })).toMatchObject({
      highestRate: 8,
      lowestBroken: null,
    })
  })

  it("does not go on below a rate at which the endpoint is idle", async () => {
    const search = await searchRate(limit(0), { startRate: 16 })
    expect(search.trials.map(({ ratePerSecond }) => ratePerSecond)).toEqual([16, 8, 4, 2, 1])
  })

  it("ends when it is interrupted", async () => {
    expect(await searchRate(async () => null, { startRate: 1 })).toEqual({
      highestRate: null,
      lowestBroken: null,
      trials: [],
    })
  })
})
