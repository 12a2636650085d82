import { describe, expect, it } from "vitest"
import { populationOfPairs } from "../../../src/analyse/decide/pilot-population.ts"
import { alignRows } from "../../../src/rows/align.ts"
import { rowsOf } from "../../../src/rows/rows-of.ts"
import { scoredVariant } from "../../support/scored.ts"

const pairs = (differences: readonly number[]) => {
  const side = (values: readonly number[]) => {
    const stated = values.map((value) => ({ value }))
    return rowsOf(scoredVariant("v", "m", stated), "m")
  }
  return alignRows(side(differences.map(() => 0)), side(differences)).pairs
}

describe("what future samples are drawn from", () => {
  it.each([
    [[0, 1], 1],
    [[-1, 1], 2],
    [[1, 5], 4],
  ] as const)("is as wide as the metric's range %j", (range, width) => {
    expect(populationOfPairs(pairs([0, 0.5, 0]), { range, direction: "higher" })).toMatchObject({ width, samples: 3 })
  })
  it("counts up what is better", () => {
    const values = (direction: "higher" | "lower") =>
      populationOfPairs(pairs([0, 0.5, -0.25]), { range: [0, 1], direction })?.units.sums
    expect(values("lower")).toEqual(values("higher")?.map((sum) => -sum + 0))
  })
  it("is nothing where no sample differs", () => {
    expect(populationOfPairs(pairs([0, 0, 0]), { range: [0, 1], direction: "higher" })).toBeNull()
  })
})
