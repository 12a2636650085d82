import { describe, expect, it } from "vitest"
import { deviationOfFlips, planPower } from "../../../src/engine/decide/plan-power.ts"
import { powerOfDifference } from "../../../src/stats/tests/power.ts"

describe("planPower", () => {
  it("gives the textbook n of a paired test: σ 1, δ 0.5 needs 31.4 samples", () => {
    // (1.959964 + 0.841621)² / 0.25 = 31.395
    const plan = planPower({ deviation: 1, difference: 0.5, usdPerSample: 2 })
    expect(plan.samplesToFind).toBe(32)
    expect(plan.usdToFind).toBe(64)
    // (1.644854 + 0.841621)² / 0.25 = 24.73
    expect(plan.samplesToHold).toBe(25)
  })
  it("reaches its power at its own n, and half of the risk remains unknown without a price", () => {
    const plan = planPower({ deviation: 1, difference: 0.05 })
    const atN = plan.curve.find(({ samples }) => samples === plan.samplesToFind)
    expect(atN?.power).toBeCloseTo(0.8, 3)
    expect(plan.usdToFind).toBeNull()
    expect(powerOfDifference(0, 1)).toBeCloseTo(0.05, 10)
  })
  it("says whether repeats or samples pay", () => {
    const repeats = planPower({ deviation: 1, difference: 0.1, withinShare: 0.8 })
    expect(repeats.repeats.map(({ repeats: k, samples }) => [k, samples])).toEqual([
      [1, 785],
      [2, 471],
      [4, 314],
      [8, 236],
    ])
    expect(repeats.advice).toContain("repeats pay only where samples are scarce")
    expect(planPower({ deviation: 1, difference: 0.1, withinShare: 0.05 }).advice).toContain("ask more samples")
  })
  it("turns a share of changed answers into a deviation", () => {
    expect(deviationOfFlips(0.05)).toBeCloseTo(Math.sqrt(0.05), 12)
    expect(deviationOfFlips(0.04, 0.2)).toBe(0)
  })
})
