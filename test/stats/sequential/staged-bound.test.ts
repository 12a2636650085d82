import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { normalCdf, normalQuantile } from "../../../src/stats/distributions.ts"
import { dirichletLowerBound } from "../../../src/stats/intervals/dirichlet-bound.ts"
import {
  conditionalLevel,
  readingLevel,
  stagedLevelLeft,
  stagedLowerBound,
} from "../../../src/stats/sequential/staged-bound.ts"

/** The lower bound, by level, of a normal mean with a known error. */
const stage = (mean: number, error: number) => (level: number) => mean + normalQuantile(level) * error

describe("conditionalLevel", () => {
  it("leaves what a tenth of the budget buys: less the weaker the evidence so far", () => {
    expect(conditionalLevel(0.1, 0.05)).toBeCloseTo(0.0275, 3)
    expect(conditionalLevel(0.2, 0.05)).toBeLessThan(conditionalLevel(0.1, 0.05))
    // Over all p of the first stage that do not settle the question, what is left is a tenth of the budget.
    let sum = 0
    const steps = 20_000
    for (let i = 0; i < steps; i++) {
      const p = (i + 0.5) / steps
      if (p > readingLevel(0.05, true)) sum += conditionalLevel(p, 0.05) / steps
    }
    expect(sum).toBeCloseTo(0.005, 5)
  })
})

describe("stagedLowerBound", () => {
  it("is the bound at alpha of a run that is read once, and at nine tenths of it where more may follow", () => {
    expect(stagedLowerBound([stage(1, 0.5)])).toBeCloseTo(1 - 1.64485 * 0.5, 4)
    expect(stagedLowerBound([stage(1, 0.5)], { more: true })).toBeCloseTo(1 + normalQuantile(0.045) * 0.5, 6)
  })
  it.each([1, 3, 19, 60])("reads stages of %i further graded scores by the bound of a bounded mean", (added) => {
    const random = createRandom(`graded ${added}`)
    const graded = (n: number) => {
      const values = Float64Array.from({ length: n }, () => random.next() ** 2)
      return (level: number) => dirichletLowerBound(values, 0, level)
    }
    const stages = [graded(40), graded(added)]
    expect(stagedLowerBound(stages)).toBeGreaterThanOrEqual(0)
    expect(stagedLowerBound(stages)).toBeLessThan(1 / 3 + 0.1)
    expect(stagedLevelLeft(stages, 0.5)).toBe(0)
  })
  it("agrees with the level that is left: the second stage shows the mean exactly where its p is at most that", () => {
    const first = stage(0.4, 0.3)
    const left = stagedLevelLeft([first], 0) as number
    expect(left).toBeCloseTo(conditionalLevel(normalCdf(-0.4 / 0.3), 0.05), 3)
    const mean = -normalQuantile(left) * 0.1
    expect(stagedLowerBound([first, stage(mean + 0.002, 0.1)])).toBeGreaterThan(0)
    expect(stagedLowerBound([first, stage(mean - 0.002, 0.1)])).toBeLessThan(0)
  })
  it("says nothing is left where the first stage has settled the question, or speaks against it", () => {
    expect(stagedLevelLeft([stage(2, 0.5)], 0)).toBeNull()
    expect(stagedLevelLeft([stage(-1, 0.5)], 0)).toBe(0)
  })
  it("holds the mean in 95 % of runs that are extended twice, each time by as much as looks most promising", () => {
    const random = createRandom("twice")
    const worlds = 4000
    let missed = 0
    for (let world = 0; world < worlds; world++) {
      const draw = (n: number) => ({ n, mean: random.normal() / Math.sqrt(n) })
      const stages = [draw(50)]
      for (let extension = 0; extension < 2; extension++) {
        const { n, mean } = stages.at(-1) as { n: number; mean: number }
        // A little more where it looks good, much more where it does not.
        stages.push(draw(mean * Math.sqrt(n) > 1 ? 20 : 400))
      }
      const bounds = stages.map(({ n, mean }) => stage(mean, 1 / Math.sqrt(n)))
      missed += Number(stagedLowerBound(bounds, { more: true }) > 0)
    }
    expect(missed / worlds).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / worlds))
    expect(missed / worlds).toBeGreaterThan(0.035)
  })
  it("has no bound where no stage has one", () => {
    const none = () => Number.NEGATIVE_INFINITY
    expect(stagedLowerBound([none, none])).toBe(Number.NEGATIVE_INFINITY)
    expect(() => stagedLowerBound([])).toThrow(RangeError)
  })
})
