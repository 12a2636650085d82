import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { normalQuantile } from "../../../src/stats/distributions.ts"
import { tangoInterval } from "../../../src/stats/intervals/tango-interval.ts"
import { extensionLevel, sequentialDesign } from "../../../src/stats/sequential/alpha-spending.ts"
import { samplesForMargin } from "../../../src/stats/tests/power.ts"

/** A run of right and wrong pairs that is read at each look until the margin is shown, or to its end. */
function run(
  seed: string,
  looks: readonly number[],
  levels: readonly number[],
  lost: number,
  won: number,
  margin: number,
) {
  const random = createRandom(seed)
  let losses = 0
  let wins = 0
  let n = 0
  for (const [look, samples] of looks.entries()) {
    for (; n < samples; n++) {
      const u = random.next()
      if (u < lost) losses++
      else if (u < lost + won) wins++
    }
    if (tangoInterval(losses, wins, n, 2 * (levels[look] as number)).low > -margin) return { shown: true, n }
  }
  return { shown: false, n }
}

describe("sequentialDesign", () => {
  it("gives the published boundaries of Lan and DeMets' O'Brien–Fleming spending: five looks, one-sided .025", () => {
    const { levels } = sequentialDesign([1, 2, 3, 4, 5], { alpha: 0.025 })
    // ldbounds 2.0.0, ldBounds(t = (1:5)/5, iuse = 1, alpha = 0.05, sides = 2): upper bounds
    const published = [4.8769, 3.3569, 2.6803, 2.2898, 2.031]
    levels.forEach((level, i) => {
      expect(-normalQuantile(level)).toBeCloseTo(published[i] as number, 3)
    })
  })
  it("is a test at alpha with one look", () => {
    expect(sequentialDesign([100]).levels[0]).toBeCloseTo(0.05, 6)
    expect(sequentialDesign([100], { spending: "even" }).levels[0]).toBeCloseTo(0.05, 6)
  })
  it("errs in at most alpha of 10,000 runs at the margin, with ten looks", () => {
    const margin = 0.05
    const samples = Array.from({ length: 10 }, (_, i) => 60 * (i + 1))
    for (const spending of ["late", "even"] as const) {
      const { levels } = sequentialDesign(samples, { spending })
      let wrong = 0
      for (let world = 0; world < 10_000; world++)
        wrong += Number(run(`margin/${spending}/${world}`, samples, levels, 0.1, 0.05, margin).shown)
      expect(wrong / 10_000).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 10_000))
    }
  })
  it("needs at most 1.2 times the fixed number where the truth is 0, and 0.6 times where the case is clear, at no less power", () => {
    const margin = 0.05
    const fixed = Math.ceil(samplesForMargin(Math.sqrt(0.15), margin))
    const planned = Math.ceil(1.08 * fixed)
    const samples = Array.from({ length: 8 }, (_, i) => Math.ceil((planned * (i + 1)) / 8))
    const { levels } = sequentialDesign(samples)
    const mean = (lost: number, won: number) => {
      const runs = Array.from({ length: 1500 }, (_, world) =>
        run(`${lost}/${world}`, samples, levels, lost, won, margin),
      )
      return {
        share: runs.reduce((sum, { n }) => sum + n, 0) / runs.length / fixed,
        shown: runs.filter(({ shown }) => shown).length / runs.length,
      }
    }
    const equal = mean(0.075, 0.075)
    expect(equal.share).toBeLessThanOrEqual(1.2)
    expect(equal.shown).toBeGreaterThan(0.77)
    const clear = mean(0.025, 0.125)
    expect(clear.share).toBeLessThanOrEqual(0.6)
    expect(clear.shown).toBeGreaterThan(0.99)
  })
  it("refuses looks that do not rise", () => {
    expect(() => sequentialDesign([])).toThrow(RangeError)
    expect(() => sequentialDesign([100, 100])).toThrow(/rising/)
    expect(() => sequentialDesign([100], { alpha: 0.5 })).toThrow(/alpha/)
  })
})

describe("extensionLevel", () => {
  it("keeps alpha over a run that is extended whenever it was not settled", () => {
    const first = 200
    const total = 500
    const firstLevel = 0.03
    const second = extensionLevel({ first, total, firstLevel }) as number
    expect(second).toBeGreaterThan(0.02)
    expect(second).toBeLessThan(0.05)
    let wrong = 0
    for (let world = 0; world < 6000; world++)
      wrong += Number(run(`extend/${world}`, [first, total], [firstLevel, second], 0.1, 0.05, 0.05).shown)
    expect(wrong / 6000).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 6000))
  })
  it("has nothing left after a first look at alpha", () => {
    expect(extensionLevel({ first: 100, total: 200, firstLevel: 0.05 })).toBeNull()
    expect(() => extensionLevel({ first: 100, total: 100, firstLevel: 0.01 })).toThrow(RangeError)
  })
})
