import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { anytimeLowerBound } from "../../../src/stats/sequential/anytime-lower-bound.ts"

const units = (values: readonly number[], size = 1) => ({
  sums: Float64Array.from(values, (value) => value * size),
  sizes: new Float64Array(values.length).fill(size),
})
const margin = 0.05
const options = { width: 1, alpha: 0.05, against: -margin }

/** Worlds whose mean is exactly −margin, with rare losses among them. */
const worlds: Readonly<Record<string, (random: ReturnType<typeof createRandom>) => number>> = {
  "losses of everything in 5 %": (random) => (random.next() < margin ? -1 : 0),
  "losses of everything in 10 %, gains of half in 10 %": (random) => {
    const u = random.next()
    return u < 0.1 ? -1 : u < 0.2 ? 0.5 : 0
  },
  "dense differences": (random) => -margin + 0.8 * (random.next() - 0.5),
}

describe("anytimeLowerBound", () => {
  it.each(Object.entries(worlds))(
    "ever passes the true mean in at most alpha of 3,000 runs, read after every unit: %s",
    (name, draw) => {
      let wrong = 0
      for (let run = 0; run < 3000; run++) {
        const random = createRandom(`${name}/${run}`)
        // What was ever left out stays so: the bound at the end is the highest that any look had.
        const values = Array.from({ length: 250 }, () => draw(random))
        wrong += Number(anytimeLowerBound(units(values), options) > -margin)
      }
      expect(wrong / 3000).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 3000))
    },
  )
  it("is what one unit's stake wins", () => {
    // Gap .5, variance .05: a stake of 1.67, held under .98 / (1 + mean). It wins 1 / .9 where .98 · (1 − m) / (1 + m) = 1/9.
    const bound = anytimeLowerBound(units([1]), { width: 1, alpha: 0.9, against: -0.5 })
    expect(bound).toBeCloseTo((0.98 - 1 / 9) / (0.98 + 1 / 9), 10)
  })
  it("needs hardly more pairs without a loss than a test at a fixed number: ln(20) / .01", () => {
    const shown = (n: number) => anytimeLowerBound(units(new Array(n).fill(0)), { ...options, against: -0.01 }) > -0.01
    expect(shown(299)).toBe(false)
    expect(shown(325)).toBe(true)
  })
  it("never falls, scales with the metric, and does not depend on how often each unit counts", () => {
    const random = createRandom("rising")
    const values = Array.from({ length: 120 }, () => random.next() - 0.4)
    let before = -1
    for (let n = 1; n <= values.length; n += 7) {
      const now = anytimeLowerBound(units(values.slice(0, n)), options)
      expect(now).toBeGreaterThanOrEqual(before)
      before = now
    }
    expect(before).toBeGreaterThan(-margin)
    const hundredfold = { width: 100, alpha: 0.05, against: -100 * margin }
    expect(anytimeLowerBound(units(values.map((value) => 100 * value)), hundredfold)).toBeCloseTo(
      100 * anytimeLowerBound(units(values), options),
      8,
    )
    expect(anytimeLowerBound(units(values, 3), options)).toBeCloseTo(anytimeLowerBound(units(values), options), 10)
  })
  it("says nothing without units, and refuses what it cannot hold for", () => {
    expect(anytimeLowerBound(units([]), options)).toBe(-1)
    expect(anytimeLowerBound(units([-1, -1, -1]), options)).toBeCloseTo(-1, 10)
    expect(() => anytimeLowerBound(units([0]), { ...options, width: Number.POSITIVE_INFINITY })).toThrow(RangeError)
    expect(() => anytimeLowerBound(units([0]), { ...options, alpha: 0 })).toThrow(RangeError)
  })
})
