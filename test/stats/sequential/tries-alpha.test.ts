import { describe, expect, it } from "vitest"
import { triesAlpha } from "../../../src/stats/sequential/tries-alpha.ts"

describe("the error rate of tries at one set of samples", () => {
  it("halves with each try, and those of one go share their sum", () => {
    expect([1, 2, 3].map((before) => triesAlpha(0.05, before))).toEqual([0.025, 0.0125, 0.00625])
    expect(triesAlpha(0.05, 2, 3)).toBeCloseTo(0.0125 + 0.00625 + 0.003125, 12)
  })
  it("is at most alpha over all tries after the first, however many follow", () => {
    expect(triesAlpha(0.05, 1, 50)).toBeLessThanOrEqual(0.05)
  })
})
