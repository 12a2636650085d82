import type { Budget, Price } from "evalkit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createBudget } from "../../src/cost/budget.ts"
import { hourlyPrice, tokenPrice } from "./generations.ts"

function budgetOf(budget: Budget, price: Price | null = tokenPrice, elapsedMs = () => 0) {
  return createBudget(budget, { prices: new Map([["a", price]]), elapsedMs })
}

const usd = (amount: number) => ({ cost: { status: "known", usd: amount, parts: {} } as const, tokens: 10 })

describe("a budget", () => {
  it("refuses to start when it cannot be checked", () => {
    expect(() => budgetOf({ usd: 5 }, null)).toThrow(/price is unknown: a;/)
    expect(() => budgetOf({ tokens: 5 }, null)).not.toThrow()
  })

  it("lets a request wait while others are in flight and stops when it can never fit", () => {
    const budget = budgetOf({ usd: 1 })
    const first = budget.reserve({ usd: 0.6, tokens: 10 })
    expect(budget.reserve({ usd: 0.6, tokens: 10 })).toBeNull()
    expect(budget.exceeded()).toBeNull()
    first?.settle(usd(0.3))
    const second = budget.reserve({ usd: 0.6, tokens: 10 })
    second?.settle(usd(0.6))
    expect(budget.reserve({ usd: 0.6, tokens: 10 })).toBeNull()
    expect(budget.exceeded()).toMatch(/budget of \$1 is spent/)
    expect(budget.spent().usd).toBeCloseTo(0.9, 12)
  })

  it("does not call itself spent where not even the first request fits", () => {
    const budget = budgetOf({ usd: 0.05, tokens: 5 })
    expect(budget.reserve({ usd: 0.06, tokens: 1 })).toBeNull()
    expect(budget.exceeded()).toBe("the budget of $0.05 has no room for a single request")
    expect(budget.reserve({ usd: 0.01, tokens: 6 })).toBeNull()
    expect(budget.exceeded()).toBe("the budget of 5 tokens has no room for a single request")
  })

  it("counts an unknown amount as what was set aside", () => {
    const budget = budgetOf({ usd: 1, tokens: 100 })
    budget.reserve({ usd: 0.4, tokens: 60 })?.settle({ cost: { status: "unknown", reason: "truncated" }, tokens: null })
    expect(budget.spent()).toMatchObject({ usd: 0.4, tokens: 60, requests: 1 })
  })

  it("gives back what a request that never started had set aside", () => {
    const budget = budgetOf({ requests: 1 })
    budget.reserve({ usd: 0, tokens: 0 })?.release()
    expect(budget.reserve({ usd: 0, tokens: 0 })).not.toBeNull()
  })

  it("counts what a service used by itself, and what earlier processes used", () => {
    const before = { usd: 0.5, tokens: 10, requests: 7, minutes: 2 }
    const budget = createBudget({ requests: 10 }, { prices: new Map(), elapsedMs: () => 60_000, before })
    for (let request = 0; request < 2; request++) budget.charge({ usd: 0.1, tokens: 5 })
    expect(budget.spent()).toMatchObject({ tokens: 20, requests: 9, minutes: 3 })
    budget.reserve({ usd: 0, tokens: 0 })?.settle(usd(0))
    expect(budget.reserve({ usd: 0, tokens: 0 })).toBeNull()
    expect(budget.exceeded()).toMatch(/budget of 10 requests/)
  })

  it("settles a reservation once", () => {
    const budget = budgetOf({ usd: 1 })
    const reservation = budget.reserve({ usd: 0.5, tokens: 1 })
    reservation?.settle(usd(0.5))
    reservation?.settle(usd(0.5))
    reservation?.release()
    expect(budget.spent()).toMatchObject({ usd: 0.5, requests: 1 })
  })

  it("runs hardware costs and minutes with time", () => {
    let now = 0
    const budget = budgetOf({ usd: 3 }, hourlyPrice, () => now)
    expect(budget.reserve({ usd: null, tokens: 1 })).not.toBeNull()
    now = 3_700_000
    expect(budget.exceeded()).toMatch(/\$3/)
    const minutes = budgetOf({ minutes: 60 }, null, () => now)
    expect(minutes.exceeded()).toBe("the budget of 60 minutes is over")
    expect(budgetOf({ minutes: 1 }, null, () => now).exceeded()).toBe("the budget of 1 minute is over")
  })

  it("never lets spending pass the limit, whatever the order of settlements", () => {
    const request = fc.record({
      estimate: fc.integer({ min: 1, max: 50 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), fc.integer({ min: 1, max: 300 }), (requests, cents) => {
        const budget = budgetOf({ usd: cents / 100 })
        const open: (() => void)[] = []
        for (const { estimate, share } of requests) {
          const reservation = budget.reserve({ usd: estimate / 100, tokens: 1 })
          if (reservation) open.push(() => reservation.settle(usd((estimate / 100) * share)))
          if (share < 0.5) open.shift()?.()
          expect(budget.spent().usd).toBeLessThanOrEqual(cents / 100 + 1e-6)
        }
        for (const settle of open) settle()
        expect(budget.spent().usd).toBeLessThanOrEqual(cents / 100 + 1e-6)
      }),
    )
  })
})
