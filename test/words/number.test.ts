import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { amount, count, counted, exactly } from "../../src/words/number.ts"
import { pValue } from "../../src/words/p-value.ts"
import { percent, percentChange, roundPercent } from "../../src/words/percent.ts"

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
    expect([0.125, 0.75, 1, 0.0001, 0.0833].map(percent)).toEqual(["12.5 %", "75 %", "100 %", "0.01 %", "8.33 %"])
    expect([0.0162, 0.0000002, 1].map(pValue)).toEqual(["p = 0.016", "p < 0.001", "p = 1"])
  })

  it("is nothing or all only where it is", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-8, max: 1 - 1e-7, noNaN: true }), (share) => {
        for (const text of [percent(share), roundPercent(share)]) expect(["0 %", "100 %"]).not.toContain(text)
      }),
    )
    expect([0, 1].flatMap((share) => [percent(share), roundPercent(share)])).toEqual(["0 %", "0 %", "100 %", "100 %"])
    expect([0.99997, 0.9996, 0.99949].map(percent)).toEqual(["99.997 %", "99.96 %", "99.9 %"])
  })

  it("has its sign as a change", () => {
    expect([-0.125, 0.03, 0, 2e-16].map(percentChange)).toEqual(["\u221212.5 %", "+3 %", "0 %", "0 %"])
  })
})

describe("a count", () => {
  it("says one in the singular, and none or many in the plural", () => {
    expect([0, 1, 2, 2310].map((value) => counted(value, "pair"))).toEqual([
      ...["0 pairs", "1 pair", "2 pairs", "2,310 pairs"],
    ])
  })

  it("separates thousands", () => {
    expect([7, 999, 1000, 1234567].map(count)).toEqual(["7", "999", "1,000", "1,234,567"])
    expect([-0.2, -999, -1000, 1e21].map(count)).toEqual(["0", "\u2212999", "\u22121,000", "1e+21"])
  })
})
