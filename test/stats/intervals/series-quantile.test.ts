import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { normalQuantile } from "../../../src/stats/distributions.ts"
import { quantileInterval } from "../../../src/stats/intervals/quantile-interval.ts"
import { seriesQuantileInterval } from "../../../src/stats/intervals/series-quantile.ts"
import { autocorrelationTime } from "../../../src/stats/sequential/autocorrelation.ts"

function series(random: Random, n: number, memory: number): number[] {
  let level = random.normal()
  return Array.from({ length: n }, () => {
    level = memory * level + Math.sqrt(1 - memory * memory) * random.normal()
    return level
  })
}

const inside = (interval: { low: number | null; high: number | null }, truth: number) =>
  (interval.low ?? Number.NEGATIVE_INFINITY) <= truth && (interval.high ?? Number.POSITIVE_INFINITY) >= truth

describe("seriesQuantileInterval", () => {
  it.each([
    [0.5, 0.8, 200],
    [0.5, 0.9, 200],
    [0.9, 0.8, 600],
    [0.95, 0.9, 600],
  ])(
    "holds the %f quantile of a series with memory %f, n = %i, where independent order statistics do not",
    (q, memory, n) => {
      let held = 0
      let plain = 0
      for (let world = 0; world < 400; world++) {
        const values = series(createRandom(`series/${q}/${memory}/${world}`), n, memory)
        held += Number(inside(seriesQuantileInterval(values, q) as never, normalQuantile(q)))
        plain += Number(
          inside(
            quantileInterval(
              [...values].sort((a, b) => a - b),
              q,
            ) as never,
            normalQuantile(q),
          ),
        )
      }
      expect(held / 400).toBeGreaterThan(0.93)
      expect(plain / 400).toBeLessThan(0.8)
    },
  )
  it("holds the median of values that share their turn", () => {
    let held = 0
    for (let world = 0; world < 400; world++) {
      const random = createRandom(`turns/${world}`)
      const levels = Array.from({ length: 10 }, () => random.normal())
      const turns = Array.from({ length: 200 }, (_, i) => i % 10)
      const values = turns.map((turn) => Math.SQRT1_2 * ((levels[turn] as number) + random.normal()))
      const interval = seriesQuantileInterval(values, 0.5, { turns })
      expect(interval?.turns).toBe(10)
      held += Number(inside(interval as never, 0))
    }
    expect(held / 400).toBeGreaterThan(0.93)
  })
  it("is the binomial interval when values are independent", () => {
    const alternating = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? i : 100 - i) + 0.5 * (i % 2))
    const sorted = Float64Array.from(alternating).sort()
    const { low, high, value, effectiveN } = seriesQuantileInterval(alternating, 0.5) as never as Record<string, number>
    const plain = quantileInterval(sorted, 0.5)
    expect(effectiveN).toBe(100)
    expect([low, high, value]).toEqual([plain?.low, plain?.high, plain?.value])
  })
  it("says that one end cannot be bound, and nothing of no values", () => {
    expect(seriesQuantileInterval([1, 2, 3], 0.99)?.high).toBeNull()
    expect(seriesQuantileInterval([], 0.5)).toBeNull()
  })
})

describe("autocorrelationTime", () => {
  it("is about (1 + φ) / (1 − φ) of an autoregressive series", () => {
    expect(autocorrelationTime(series(createRandom("time"), 20_000, 0.8))).toBeGreaterThan(7.5)
    expect(autocorrelationTime(series(createRandom("time"), 20_000, 0.8))).toBeLessThan(10.5)
    expect(autocorrelationTime(series(createRandom("none"), 20_000, 0))).toBeLessThan(1.1)
  })
  it("is 1 where a value contradicts the one before, where nothing varies and where there is little", () => {
    expect(autocorrelationTime([1, 2, 1, 2, 1, 2, 1, 2])).toBe(1)
    expect(autocorrelationTime([3, 3, 3, 3, 3])).toBe(1)
    expect(autocorrelationTime([1, 2])).toBe(1)
  })
})
