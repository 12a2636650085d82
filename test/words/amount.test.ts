import { describe, expect, it } from "vitest"
import { amount, exactly } from "../../src/words/amount.ts"
import { pValue } from "../../src/words/p-value.ts"
import { percent } from "../../src/words/percent.ts"

describe("a number for prose", () => {
  it("has three significant digits and no trailing zeros", () => {
    expect([0.1616, 4.3, 5, 13.68, 41, 435.3, 663.7].map(amount)).toEqual([
      ...["0.16", "4.3", "5", "13.7", "41", "435", "664"],
    ])
    expect([0.0349, 0.00003, 0].map(amount)).toEqual(["0.035", "0.00003", "0"])
  })

  it("separates thousands, those that rounding makes, too", () => {
    expect([999.4, 999.96, 12_345.6].map(amount)).toEqual(["999", "1,000", "12,346"])
  })

  it("does not round what a factor of 100 left below the half the other way", () => {
    expect(0.1055 * 100).toBeLessThan(10.55)
    expect(amount(0.1055 * 100)).toBe(amount(10.55))
  })

  it("has the minus sign of prose, and none before nothing", () => {
    expect([-0.097, -1234, -0].map(amount)).toEqual(["−0.097", "−1,234", "0"])
    expect([Number.POSITIVE_INFINITY, Number.NaN].map(amount)).toEqual(["∞", "unknown"])
  })
})

describe("a limit", () => {
  it("is quoted with all its digits", () => {
    expect([250.5, 0.01, 12_345.5, 0.1 + 0.2, -0.5].map(exactly)).toEqual(["250.5", "0.01", "12,345.5", "0.3", "−0.5"])
  })
})

describe("a share and a p-value", () => {
  it("are said with the same digits everywhere", () => {
    expect([0.125, 0.75, 1, 0.0001].map(percent)).toEqual(["12.5 %", "75 %", "100 %", "0.01 %"])
    expect([0.0162, 0.0000002, 1].map(pValue)).toEqual(["p = 0.016", "p < 0.001", "p = 1"])
  })
})
