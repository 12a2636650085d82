import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { createConfidenceSequence } from "../../../src/stats/sequential/confidence-sequence.ts"

describe("createConfidenceSequence", () => {
  it("holds the true mean at every look in at least 95 % of 400 worlds", () => {
    let left = 0
    for (let world = 0; world < 400; world++) {
      const random = createRandom(`cs/${world}`)
      const sequence = createConfidenceSequence({ range: [0, 1], alpha: 0.05, grid: 60, at: [0.3] })
      let out = false
      for (let i = 0; i < 300 && !out; i++) {
        sequence.add(Number(random.next() < 0.3))
        out = sequence.above(0.3) || sequence.below(0.3)
      }
      if (out) left++
    }
    expect(left / 400).toBeLessThanOrEqual(0.05)
  })
  it("narrows around the mean and never widens", () => {
    const random = createRandom(1)
    const sequence = createConfidenceSequence({ range: [-1, 1], alpha: 0.05 })
    let width = 2
    for (let i = 0; i < 1500; i++) {
      sequence.add(random.next() < 0.04 ? (random.next() < 0.5 ? 1 : -1) : 0)
      const { low, high } = sequence.interval()
      expect(high - low).toBeLessThanOrEqual(width + 1e-12)
      width = high - low
    }
    expect(sequence.count()).toBe(1500)
    expect(width).toBeLessThan(0.06)
    const { low, high } = sequence.interval()
    expect(low).toBeLessThanOrEqual(0)
    expect(high).toBeGreaterThanOrEqual(0)
  })
  it("begins with the whole range and refuses what lies outside it", () => {
    const sequence = createConfidenceSequence({ range: [0, 10], alpha: 0.05 })
    expect(sequence.interval()).toEqual({ low: 0, high: 10 })
    expect(() => sequence.add(11)).toThrow(RangeError)
    expect(() => sequence.add(Number.NaN)).toThrow(RangeError)
    expect(() => sequence.above(1.2345)).toThrow(/was not given as a point/)
  })
})
