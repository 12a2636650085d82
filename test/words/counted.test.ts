import { describe, expect, it } from "vitest"
import { counted, whole } from "../../src/words/counted.ts"

describe("counted", () => {
  it("says one in the singular, and none or many in the plural", () => {
    expect([0, 1, 2, 2310].map((count) => counted(count, "pair"))).toEqual([
      "0 pairs",
      "1 pair",
      "2 pairs",
      "2,310 pairs",
    ])
  })
})

describe("whole", () => {
  it("separates thousands", () => {
    expect([7, 999, 1000, 1234567].map(whole)).toEqual(["7", "999", "1,000", "1,234,567"])
    expect([-0.2, -999, -1000, 1e21].map(whole)).toEqual(["0", "-999", "-1,000", "1e+21"])
  })
})
