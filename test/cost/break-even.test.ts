import { type Figure, figureValue, unknown } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { breakEvenQueriesPerMonth, monthlyApiBill, monthlyHardwareBill } from "../../src/cost/break-even.ts"
import { hourlyPrice } from "./generations.ts"

const known = (value: number): Figure => ({ status: "known", value, n: 10, method: "mean" })

describe("bills and break-even", () => {
  it("projects an API bill from the cost per query", () => {
    expect(figureValue(monthlyApiBill(known(0.002), { queriesPerMonth: 1e6 }))).toBe(2000)
  })

  it("rents whole units of hardware for whole months", () => {
    const traffic = { queriesPerMonth: 1e7, outputTokensPerQuery: 200 }
    // 2e9 tokens a month; one unit at 1,000 tokens/s makes 2.63e9, at 500 only 1.31e9
    expect(figureValue(monthlyHardwareBill(hourlyPrice, known(1000), traffic))).toBeCloseTo(2191.5, 9)
    expect(figureValue(monthlyHardwareBill(hourlyPrice, known(500), traffic))).toBeCloseTo(4383, 9)
  })

  it("finds the volume from which own hardware is cheaper", () => {
    // $2,191.50 a month against $0.002 a query
    expect(figureValue(breakEvenQueriesPerMonth(known(0.002), hourlyPrice, known(1000), 200))).toBeCloseTo(1_095_750, 6)
  })

  it("says never when one unit cannot serve so many", () => {
    const never = breakEvenQueriesPerMonth(known(0.00001), hourlyPrice, known(1000), 200)
    expect(never).toMatchObject({ status: "unknown", reason: expect.stringContaining("never") })
  })

  it("passes an unknown price on", () => {
    const none = unknown("no price")
    expect(monthlyApiBill(none, { queriesPerMonth: 1 })).toBe(none)
    expect(breakEvenQueriesPerMonth(none, hourlyPrice, known(1000), 200)).toBe(none)
  })
})
