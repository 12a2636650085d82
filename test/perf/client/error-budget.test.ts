import { figureValue, unknown } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { errorBudget } from "../../../src/perf/client/error-budget.ts"
import { wilsonRate } from "../../../src/perf/wilson.ts"

describe("the error budget", () => {
  it("burns ten times too fast at 1 % errors against three nines", () => {
    const { burnRate } = errorBudget(wilsonRate(990, 1000), 0.999)
    expect(figureValue(burnRate)).toBeCloseTo(10, 9)
    // Wilson at 10 of 1,000 failures: 0.544 % to 1.83 %
    expect(burnRate).toMatchObject({ low: expect.closeTo(5.44, 1), high: expect.closeTo(18.3, 1) })
  })

  it("is untouched without a failure, and unknown without a request", () => {
    expect(figureValue(errorBudget(wilsonRate(50, 50), 0.99).burnRate)).toBe(0)
    expect(errorBudget(unknown("nothing was measured"), 0.99).burnRate.status).toBe("unknown")
  })
})
