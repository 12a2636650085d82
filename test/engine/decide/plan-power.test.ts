import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { deviationOfFlips, gapOfFlips, gapOfPairs, planPower } from "../../../src/engine/decide/plan-power.ts"
import { pairedBound } from "../../../src/stats/intervals/paired-bound.ts"
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

describe("the samples that show that nothing is lost", () => {
  it("have the power that was asked for, by the bound that decides on right and wrong answers", () => {
    const [flips, difference] = [0.1, 0.05]
    const { samplesToHold } = planPower({
      deviation: deviationOfFlips(flips, difference),
      difference,
      gap: gapOfFlips(flips),
    })
    const random = createRandom("held")
    const runs = 1500
    let shown = 0
    for (let run = 0; run < runs; run++) {
      const differences = Float64Array.from({ length: samplesToHold }, () => {
        const u = random.next()
        return u < flips / 2 ? -1 : u < flips ? 1 : 0
      })
      shown += Number((pairedBound(differences, { range: [0, 1] }).lowBound as number) > -difference)
    }
    expect(Math.abs(shown / runs - 0.8)).toBeLessThan(0.03 + 2 * Math.sqrt((0.8 * 0.2) / runs))
  })
  it("are more where the bound holds for any distribution on the range than Student's t would say", () => {
    const differences = Float64Array.from({ length: 400 }, (_, i) => 0.8 * (i / 399 - 0.5))
    const deviation = 0.8 / Math.sqrt(12)
    const byBound = planPower({ deviation, difference: 0.05, gap: gapOfPairs(differences, [0, 1]) })
    const byStudent = planPower({ deviation, difference: 0.05 })
    expect(byBound.samplesToHold).toBeGreaterThan(1.15 * byStudent.samplesToHold)
  })
})
