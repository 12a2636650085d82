import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { computeTrend } from "../../../src/engine/decide/trend.ts"
import { changePoints } from "../../../src/stats/sequential/change-point.ts"
import { flipped, numberMetric, rates, scoredVariant } from "../scored.ts"

describe("computeTrend", () => {
  const metric = numberMetric("exact match")
  const base = rates(400, 340)
  const runs = [0, 0, 0, 60, 60].map((lost, i) => ({
    run: `r${i}`,
    startedAt: `2026-01-0${i + 1}T00:00:00Z`,
    scored: scoredVariant("v", "exact match", flipped(base, lost + i, 2 * i)),
  }))
  const trend = computeTrend({ runs, metric, margin: 0.01, alpha: 0.05, seed: 1 })
  it("raises an alarm for runs that are worse than the baseline run, and only for those", () => {
    expect(trend.points.map(({ alarm }) => alarm)).toEqual([false, false, false, true, true])
    expect(trend.points[0]?.comparison).toBeNull()
  })
  it("finds the run where the level changed", () => {
    expect(trend.changes).toHaveLength(1)
    expect(trend.changes[0]).toMatchObject({ at: 3, run: "r3" })
    expect(trend.sentence).toMatch(
      /^exact match went from 85.* % to 7.* % at run r3 \(p < 0.001\)\. Worse than the baseline: run r3, run r4\.$/,
    )
  })
  it("says so when nothing changed", () => {
    const still = computeTrend({ runs: runs.slice(0, 3), metric, margin: 0.01, alpha: 0.05, seed: 1 })
    expect(still.sentence).toBe("exact match shows no change over 3 runs.")
  })
})

describe("changePoints", () => {
  it("finds both changes of a series that goes down and up again", () => {
    const values = [1, 1.1, 0.9, 1, 5, 5.1, 4.9, 5, 2, 2.1, 1.9]
    expect(
      changePoints(
        values,
        values.map(() => 0.2),
      ).map(({ at }) => at),
    ).toEqual([4, 8])
  })
  it("finds a change in at most 5 % of 500 series without one", () => {
    let found = 0
    for (let world = 0; world < 500; world++) {
      const random = createRandom(`still/${world}`)
      const values = Array.from({ length: 12 }, () => random.normal())
      if (
        changePoints(
          values,
          values.map(() => 1),
        ).length > 0
      )
        found++
    }
    expect(found / 500).toBeLessThanOrEqual(0.05)
  })
  it("says nothing without errors to judge by", () => {
    expect(changePoints([1, 2, 9], [0, 0, 0])).toEqual([])
  })
})
