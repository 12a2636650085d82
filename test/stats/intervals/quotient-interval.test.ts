import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { inverseToRate } from "../../../src/stats/intervals/inverse-to-rate.ts"
import { quotientInterval } from "../../../src/stats/intervals/quotient-interval.ts"

describe("the interval of a quotient", () => {
  it("is that of its upper part where the lower one is exact, and turned round where the upper one is", () => {
    expect(quotientInterval({ value: 2, low: 1, high: 4 }, { value: 1 })).toEqual({ low: 1, high: 4 })
    const inverse = quotientInterval({ value: 1 }, { value: 2, low: 1, high: 4 })
    expect(inverse.low).toBeCloseTo(0.25, 12)
    expect(inverse.high).toBeCloseTo(1, 12)
  })

  it("adds the distances of the logarithms as squares", () => {
    const { low, high } = quotientInterval(
      { value: 1, low: Math.exp(-0.3), high: Math.exp(0.3) },
      { value: 1, low: Math.exp(-0.4), high: Math.exp(0.4) },
    )
    expect(Math.log(low as number)).toBeCloseTo(-0.5, 12)
    expect(Math.log(high as number)).toBeCloseTo(0.5, 12)
  })

  it("has no end where a part is not bounded", () => {
    expect(quotientInterval({ value: 1, low: null, high: 2 }, { value: 1 })).toEqual({ low: null, high: 2 })
    expect(quotientInterval({ value: 1 }, { value: 1, low: 0, high: null })).toEqual({ low: null, high: null })
  })

  it("covers the truth as often as its parts do", () => {
    const random = createRandom("quotient")
    let covered = 0
    for (let world = 0; world < 2000; world++) {
      const part = (error: number) => {
        const value = Math.exp(error * random.normal())
        return { value, low: value * Math.exp(-1.96 * error), high: value * Math.exp(1.96 * error) }
      }
      const { low, high } = quotientInterval(part(0.1), part(0.2))
      covered += Number((low as number) <= 1 && 1 <= (high as number))
    }
    expect(covered / 2000).toBeGreaterThan(0.935)
    expect(covered / 2000).toBeLessThan(0.965)
  })
})

describe("a figure that is inverse to a rate", () => {
  const rate = { status: "known", value: 10, low: 8, high: 12.5, n: 5, method: "counted" } as const

  it("takes the rate's interval, turned round, and its own beside it", () => {
    const exact = inverseToRate({ status: "known", value: 1, n: 1, method: "price" }, rate)
    expect(exact).toMatchObject({
      low: expect.closeTo(0.8, 12),
      high: expect.closeTo(1.25, 12),
      method: "price; counted",
    })
    const own = inverseToRate({ status: "known", value: 1, low: 0.8, high: 1.25, n: 1, method: "energy" }, rate)
    expect(own).toMatchObject({ low: expect.closeTo(1.25 ** -Math.SQRT2, 12) })
  })

  it("is not bounded by a rate that is unknown or not bounded", () => {
    const figure = { status: "known", value: 1, n: 1, method: "price" } as const
    for (const rateOf of [
      undefined,
      { status: "unknown", reason: "too short" } as const,
      { ...rate, low: null, high: null },
    ])
      expect(inverseToRate(figure, rateOf)).toMatchObject({ value: 1, low: null, high: null })
  })
})
