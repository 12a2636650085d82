import { describe, expect, it } from "vitest"
import { deviationOfFlips, planPower, populationOfFlips } from "../../../src/analyse/decide/plan-power.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { pairedBound } from "../../../src/stats/intervals/paired-bound.ts"
import { powerOfDifference } from "../../../src/stats/tests/power.ts"
import { isNightly, sized } from "../../support/nightly.ts"

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
  const kept = (n: number, margin: number, runs: number, draw: (random: Random) => number) => {
    const random = createRandom("held")
    let shown = 0
    for (let run = 0; run < runs; run++) {
      const differences = Float64Array.from({ length: n }, () => draw(random))
      shown += Number((pairedBound(differences, { range: [0, 1] }).lowBound as number) > -margin)
    }
    return shown / runs
  }
  const flipRuns = sized(500, 100)
  const noise = (runs: number) => 2 * Math.sqrt((0.8 * 0.2) / runs)

  it("have the power that is promised, by the bound that decides on right and wrong answers", () => {
    const [flips, difference] = [0.1, 0.05]
    const plan = planPower({
      deviation: deviationOfFlips(flips, difference),
      difference,
      population: populationOfFlips(flips),
    })
    expect(plan.simulated).toBe(true)
    expect(Math.abs(plan.powerToHold - 0.8)).toBeLessThan(0.02)
    const share = kept(plan.samplesToHold, difference, flipRuns, (random) => {
      const u = random.next()
      return u < flips / 2 ? -1 : u < flips ? 1 : 0
    })
    expect(Math.abs(share - plan.powerToHold)).toBeLessThan(0.03 + noise(flipRuns))
  })
  it("have it for a metric with limits from a pilot, too, where Student's t would ask for too few", {
    skip: !isNightly,
  }, () => {
    const random = createRandom("pilot")
    const draw = (from: Random) => (from.next() < 0.1 ? (from.next() < 0.5 ? 0.2 : -0.2) : 0)
    const sums = Float64Array.from({ length: 2000 }, () => draw(random))
    const population = { units: { sums, sizes: new Float64Array(2000).fill(1), single: true }, width: 1 }
    const deviation = 0.2 * Math.sqrt(0.1)
    const plan = planPower({ deviation, difference: 0.02, population })
    expect(plan.samplesToHold).toBeGreaterThan(1.5 * planPower({ deviation, difference: 0.02 }).samplesToHold)
    const share = kept(plan.samplesToHold, 0.02, 250, draw)
    expect(Math.abs(share - plan.powerToHold)).toBeLessThan(0.03 + noise(250))
  })
})
