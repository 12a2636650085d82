import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { studentInterval } from "../../../src/stats/intervals/student-interval.ts"
import { anytimeInterval } from "../../../src/stats/sequential/anytime-interval.ts"
import { createConfidenceSequence } from "../../../src/stats/sequential/confidence-sequence.ts"
import { samplesAtThisPace } from "../../../src/stats/tests/non-inferiority.ts"

/** Paired differences of right and wrong answers. */
function differences(seed: string, lost: number, won: number, n: number): number[] {
  const random = createRandom(seed)
  return Array.from({ length: n }, () => {
    const u = random.next()
    return u < lost ? -1 : u < lost + won ? 1 : 0
  })
}

describe("anytimeInterval", () => {
  it("lies within one step of the grid of the sequence that it refines", () => {
    const values = differences("grid", 0.1, 0.05, 300)
    const sequence = createConfidenceSequence({ range: [-1, 1], alpha: 0.05 })
    for (const value of values) sequence.add(value)
    const exact = anytimeInterval(values, { range: [-1, 1] })
    const grid = sequence.interval()
    expect(exact.low - grid.low).toBeGreaterThanOrEqual(-1e-6)
    expect(exact.low - grid.low).toBeLessThanOrEqual(0.01)
    expect(grid.high - exact.high).toBeGreaterThanOrEqual(-1e-6)
    expect(grid.high - exact.high).toBeLessThanOrEqual(0.01)
  })

  it("is wider than an interval for a fixed number of samples, and holds the mean", () => {
    const values = differences("wide", 0.1, 0.05, 500)
    const mean = values.reduce((sum, value) => sum + value, 0) / 500
    const { low, high } = anytimeInterval(values, { range: [-1, 1] })
    const fixed = studentInterval(mean, Math.sqrt((0.15 - mean ** 2) / 500), 499)
    expect(high - low).toBeGreaterThan(fixed.high - fixed.low)
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
  })

  it("leaves 0 out exactly when p is below alpha", () => {
    for (let world = 0; world < 40; world++) {
      const values = differences(`p/${world}`, 0.12, 0.04, 60 + 10 * world)
      const { low, high, p } = anytimeInterval(values, { range: [-1, 1] })
      expect(low > 0 || high < 0).toBe((p as number) <= 0.05)
    }
  })

  it("says nothing of nothing", () => {
    expect(anytimeInterval([], { range: [-1, 1] })).toEqual({ low: -1, high: 1, p: 1 })
  })
})

describe("samplesAtThisPace", () => {
  it("quarters the gap with sixteen times the samples where nothing varies but the bounds", () => {
    expect(samplesAtThisPace(0, -0.2, 0.2, 0.05, 0, 100)).toBe(1600)
  })
  it("looks at the upper bound below the margin, and says nothing at the margin itself", () => {
    expect(samplesAtThisPace(-0.75, -1, 0.25, 0.25, 0, 100)).toBe(400)
    expect(samplesAtThisPace(-0.25, -0.5, 0.1, 0.25, 0.05, 100)).toBeNull()
  })
})
