import { describe, expect, it } from "vitest"
import { coverageOf, coverageScenarios } from "../../benchmarks/stats/coverage-worlds.ts"
import { marginErrors } from "../../benchmarks/stats/verdict-worlds.ts"
import { sized } from "../support/nightly.ts"

/** The full table, 2,000 worlds a row, is in benchmarks/stats/README.md; these are quick guards against a slip. */
const runs = sized(500, 100)
const quick = [
  "rate 0.9, n 50 (Wilson)",
  "mean of normal values, n 5 (Student t)",
  "mean in 8 clusters of 5, correlation 0.5 (Student t, clustered)",
  "mean of scores, 70 % of them 0, n 50 (limits 0 and 1)",
  "mean of scores near 1, n 50 (limits 0 and 1)",
  "mean of scores in clusters of 5, n 50 (limits 0 and 1)",
  "paired rates, n 30, 0.1 lost and 0.05 won (Tango)",
  "paired rates, n 900, 0.03 lost and 0.01 won (Tango)",
  "paired mean, normal, n 20 (t, widened for skewness)",
  "p50 of exponential latencies, n 20 (order statistics)",
  "judge on 400, 100 labelled (prediction-powered)",
]

describe("intervals at 95 %", () => {
  it.each(quick)("hold the truth about as often as they say: %s", (name) => {
    const scenario = coverageScenarios.find((candidate) => candidate.name === name)
    if (!scenario) throw new Error(`no scenario ${name}`)
    const { covered } = coverageOf(scenario, runs)
    expect(covered).toBeGreaterThan(0.95 - 3 * Math.sqrt((0.95 * 0.05) / runs))
  })
})

describe("non-inferiority", () => {
  const margins = sized(1500, 300)
  it("is claimed in at most alpha of the worlds that sit on the margin", () => {
    expect(marginErrors(margins, 100, 0.08, 0.03)).toBeLessThan(0.05 + 2.2 * Math.sqrt((0.05 * 0.95) / margins))
  })
})
