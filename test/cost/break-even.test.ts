import { type Figure, figureValue, unknown } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import type { StatedCapacity } from "../../src/core/cost.ts"
import { breakEvenQueriesPerMonth, monthlyApiBill, monthlyHardwareBill } from "../../src/cost/break-even.ts"
import { hourlyPrice } from "./generations.ts"

const point = (value: number): Figure => ({ status: "known", value, n: 10, method: "mean" })

describe("bills and break-even", () => {
  it("projects an API bill from the cost per query", () => {
    expect(figureValue(monthlyApiBill(point(0.002), { queriesPerMonth: 1e6 }))).toBe(2000)
  })

  it("rents whole units of hardware for whole months", () => {
    const traffic = { queriesPerMonth: 1e7, outputTokensPerQuery: 200 }
    // 2e9 tokens a month; one unit at 1,000 tokens/s makes 2.63e9, at 500 only 1.31e9
    expect(figureValue(monthlyHardwareBill(hourlyPrice, point(1000), traffic))).toBeCloseTo(2191.5, 9)
    expect(figureValue(monthlyHardwareBill(hourlyPrice, point(500), traffic))).toBeCloseTo(4383, 9)
  })

  it("finds the volume from which own hardware is cheaper", () => {
    // $2,191.50 a month against $0.002 a query
    expect(figureValue(breakEvenQueriesPerMonth(point(0.002), hourlyPrice, point(1000), 200))).toBeCloseTo(1_095_750, 6)
  })

  it("says never only where the price states what one unit carries", () => {
    const [api, measured] = [point(0.00001), point(1000)]
    const reasonAt = (capacity: StatedCapacity) => {
      const figure = breakEvenQueriesPerMonth(api, { ...hourlyPrice, ...capacity }, measured, 200)
      return figure.status === "unknown" ? figure.reason : figure.value
    }
    // $2,191.50 a month against $0.00001 a query: 219 million queries; 1,000 tokens/s are 5 queries/s, 13.1 million a month
    expect(reasonAt({})).toMatch(/^open: break-even needs 219,150,000 queries a month, .* one unit served 13,149,000;/)
    expect(reasonAt({ requestsPerSecond: 50 })).toMatch(/^never: one unit serves 131,490,000 queries a month/)
    expect(reasonAt({ tokensPerSecond: 20_000 })).toBeCloseTo(219_150_000, 3)
  })

  it("plans as many units as the stated capacity needs, whatever a run brought", () => {
    const traffic = { queriesPerMonth: 2e8, outputTokensPerQuery: 200 }
    const usd = (capacity: StatedCapacity, measured = point(100)) =>
      figureValue(monthlyHardwareBill({ ...hourlyPrice, ...capacity }, measured, traffic))
    expect(usd({ requestsPerSecond: 50 })).toBeCloseTo(2 * 2191.5, 9)
    const capacity = { file: "bench.json", requestsPerSecond: 50, low: 30, high: 100, objectives: ["ttft<800ms"] }
    const bill = monthlyHardwareBill({ ...hourlyPrice, capacity }, point(100), traffic)
    expect(bill).toMatchObject({ value: 2 * 2191.5, low: 2191.5, high: 3 * 2191.5 })
    expect(usd({ tokensPerSecond: 10_000 }, unknown("nothing timed"))).toBeCloseTo(2 * 2191.5, 9)
  })

  it("passes an unknown price on", () => {
    const none = unknown("no price")
    expect(monthlyApiBill(none, { queriesPerMonth: 1 })).toBe(none)
    expect(breakEvenQueriesPerMonth(none, hourlyPrice, point(1000), 200)).toBe(none)
  })
})
