import { describe, expect, it } from "vitest"
import { sequentialDesign } from "../../../src/stats/sequential/alpha-spending.ts"
import { lookLadder } from "../../../src/stats/sequential/look-ladder.ts"
import { lookLevels } from "../../../src/stats/sequential/look-levels.ts"

const looks = lookLadder(600)

describe("lookLevels", () => {
  it("spends all of alpha over the looks where no bet is made", () => {
    const { levels } = sequentialDesign(looks, { spending: "looks" })
    levels.forEach((spent, look) => {
      expect(lookLevels(looks, look, { alpha: 0.05, sharpLooks: null })).toEqual({ spent, betting: null })
    })
  })
  it("gives three quarters to the bet, less what looks at right and wrong answers have spent", () => {
    expect(lookLevels(looks, 4, { alpha: 0.05, sharpLooks: 0 }).betting).toBeCloseTo(0.0375, 12)
    expect(lookLevels(looks, 4, { alpha: 0.05, sharpLooks: 5 }).betting).toBeNull()
    const late = lookLevels(looks, 10, { alpha: 0.05, sharpLooks: 10 }).betting as number
    // Ten of so many looks had spent .85 of their share of alpha each; the bet and the other looks have the rest.
    const [before, after] = [0.85 * 0.05 * (10 / looks.length), 0.05 * 0.25 * (1 - (0.85 * 10) / looks.length)]
    expect(before + late + after).toBeLessThanOrEqual(0.05)
    expect(before + late + after).toBeGreaterThan(0.045)
  })
})
