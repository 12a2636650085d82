import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createRandom } from "../../src/core/random.ts"

describe("createRandom", () => {
  it("gives the same numbers for the same seed on every machine", () => {
    const random = createRandom(42)
    expect([random.integer(1000), random.integer(1000), random.integer(1000)]).toEqual(
      ((second) => [second.integer(1000), second.integer(1000), second.integer(1000)])(createRandom("42")),
    )
  })

  it("gives other numbers for another seed", () => {
    expect(createRandom(1).next()).not.toBe(createRandom(2).next())
  })

  it("forks streams that do not advance their parent", () => {
    const random = createRandom(7)
    const two = createRandom(7)
    random.fork("a").next()
    expect(random.next()).toBe(two.next())
    expect(createRandom(7).fork("a").next()).not.toBe(createRandom(7).fork("b").next())
  })

  it("stays in [0, 1) with a mean near a half", () => {
    const random = createRandom("mean")
    const values = Array.from({ length: 20_000 }, () => random.next())
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...values)).toBeLessThan(1)
    expect(values.reduce((a, b) => a + b) / values.length).toBeCloseTo(0.5, 2)
  })

  it("draws integers evenly", () => {
    const random = createRandom("even")
    const counts = new Array<number>(6).fill(0)
    for (let i = 0; i < 60_000; i++) counts[random.integer(6)]! += 1
    const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    expect(chiSquare).toBeLessThan(20.5) // 0.999 quantile with 5 degrees of freedom
  })

  it("draws normals with mean 0 and variance 1", () => {
    const random = createRandom("normal")
    const values = Array.from({ length: 50_000 }, () => random.normal())
    const mean = values.reduce((a, b) => a + b) / values.length
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length
    expect(Math.abs(mean)).toBeLessThan(0.02)
    expect(Math.abs(variance - 1)).toBeLessThan(0.03)
  })

  it("shuffles into a permutation and leaves its input alone", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const before = [...items]
        const shuffled = createRandom(seed).shuffle(items)
        expect(items).toEqual(before)
        expect([...shuffled].sort((a, b) => a - b)).toEqual(before.sort((a, b) => a - b))
      }),
    )
  })
})
