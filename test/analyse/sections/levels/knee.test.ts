import { describe, expect, it } from "vitest"
import { findKnee, type Knee, type KneeOptions } from "../../../../src/analyse/sections/levels/knee.ts"
import type { ScoredVariant } from "../../../../src/core/metric/scored-variant.ts"
import { createRandom } from "../../../../src/core/random.ts"
import { numberMetric, scoredVariant } from "../../../support/scored.ts"

const metric = numberMetric("accuracy", { range: [0, 1], unit: "share" })
const evaluation = { margin: 0.05, marginKind: "unit", missing: "worst", alpha: 0.05, seed: 1 } as const

/** A level that answers the first `right` of n samples correctly, at a cost. */
function level(name: string, right: readonly boolean[], costUsd: number | null, e2eMs = 10): ScoredVariant {
  return scoredVariant(
    name,
    "accuracy",
    right.map((isRight) => ({ value: Number(isRight), facts: { costUsd, e2eMs } })),
  )
}

/** Right but for every n-th answer, from the start on; the same samples are hard for all. */
function rightBut(samples: number, wrong: number): boolean[] {
  return Array.from({ length: samples }, (_, i) => i >= wrong)
}

function kneeFor(levels: readonly ScoredVariant[], more: Partial<KneeOptions> = {}): Knee {
  const knee = findKnee({ levels, metrics: [metric], wholeCostUsd: levels.map(() => null), evaluation, ...more })
  if (typeof knee === "string") throw new Error(knee)
  return knee
}

describe("the knee of a sweep", () => {
  it("is the cheapest level that is shown to be not worse than the best by more than the margin", () => {
    const levels = [
      level("low", rightBut(400, 160), 0.001),
      level("medium", rightBut(400, 22), 0.002),
      level("high", rightBut(400, 20), 0.004),
    ]
    const knee = kneeFor(levels)
    expect(knee).toMatchObject({ knee: 1, best: 2, cheapBy: "costUsd", margin: 0.05, low: 1, high: 1 })
    expect(knee.verdicts).toEqual(["inferior", "non_inferior", "non_inferior"])
    expect(knee.shares[1]).toBeGreaterThan(0.95)
    expect(knee.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
  })

  it("is not there where too few samples show that a level is as good as the others", () => {
    const knee = kneeFor([level("low", rightBut(12, 2), 0.001), level("high", rightBut(12, 1), 0.004)])
    expect(knee).toMatchObject({
      knee: null,
      best: 1,
      verdicts: ["inconclusive", "inconclusive"],

      high: null,
    })
  })

  it("lies between two levels where the samples hardly tell them apart", () => {
    const alternating = Array.from({ length: 300 }, (_, i) => i % 10 !== 3)
    const shifted = Array.from({ length: 300 }, (_, i) => i % 10 !== 7)
    const knee = kneeFor([level("low", shifted, 0.001), level("medium", alternating, 0.002)])
    const { shares, low, high } = knee
    expect(shares[0]).toBeGreaterThan(0.3)
    expect(shares[0]).toBeLessThan(0.975)
    expect([low, high]).not.toEqual([0, 0])
  })

  it("takes time where no cost is known, and a cost of the whole variant where answers have none", () => {
    const levels = [level("slow", rightBut(300, 9), null, 900), level("fast", rightBut(300, 9), null, 100)]
    expect(kneeFor(levels)).toMatchObject({ cheapBy: "e2eMs", knee: 1 })
    expect(kneeFor(levels, { wholeCostUsd: [0.001, 0.002] })).toMatchObject({ cheapBy: "costUsd", knee: 0 })
  })

  it("counts answers that failed as the worst", () => {
    const failing = scoredVariant(
      "cheap",
      "accuracy",
      Array.from({ length: 300 }, (_, i) => ({ value: i < 60 ? null : 1, facts: { costUsd: 0.001 } })),
    )
    expect(kneeFor([failing, level("dear", rightBut(300, 6), 0.01)])).toMatchObject({
      best: 1,
      knee: 1,
      verdicts: ["inferior", "better"],
    })
  })

  it("needs every deciding metric, and follows a metric of which less is better", () => {
    const errors = numberMetric("errors", { range: [0, 1], direction: "lower" })
    const of = (name: string, wrong: number, costUsd: number) =>
      scoredVariant(
        name,
        "errors",
        Array.from({ length: 300 }, (_, i) => ({ value: Number(i < wrong), facts: { costUsd } })),
      )
    const knee = kneeFor([of("low", 100, 1), of("medium", 7, 2), of("high", 6, 3)], { metrics: [errors] })
    expect(knee).toMatchObject({ best: 2, knee: 1 })
  })

  it("says why there is none", () => {
    const levels = [level("a", rightBut(10, 1), null), level("b", rightBut(10, 1), null)]
    const options = { levels, wholeCostUsd: [null, null], evaluation }
    expect(findKnee({ ...options, metrics: [] })).toBe("No metric decides, so that no level is as good as another.")
    const blind = [...levels, scoredVariant("c", "accuracy", [{ value: null }])]
    expect(findKnee({ ...options, levels: blind, metrics: [metric] })).toMatch(/cost nor the time|no score/)
  })

  it("is the same for the same seed", () => {
    const levels = [level("low", rightBut(100, 9), 0.001), level("high", rightBut(100, 7), 0.004)]
    expect(kneeFor(levels)).toEqual(kneeFor(levels))
  })

  it("seldom names a level that is truly worse by the margin: at most alpha of 120 worlds, give or take chance", () => {
    const random = createRandom("worlds")
    const worlds = 120
    let wrong = 0
    for (let world = 0; world < worlds; world++) {
      const hard = Array.from({ length: 150 }, () => random.next())
      // Each answer is a draw of its own around what the sample allows: the cheap level is worse by exactly the margin.
      const draw = (rate: number) => hard.map((h) => random.next() < Math.min(1, Math.max(0, rate + (h - 0.5) * 0.2)))
      const levels = [level("low", draw(0.75), 0.001), level("high", draw(0.8), 0.004)]
      if (kneeFor(levels, { resamples: 1 }).knee === 0) wrong++
    }
    // 5 % of 120 is 6; more than 13 would be chance in fewer than one of 200 such tests.
    expect(wrong).toBeLessThanOrEqual(13)
  })
})
