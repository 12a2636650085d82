import { describe, expect, it } from "vitest"
import { parseBudget } from "../../src/config/budget.ts"

describe("parseBudget", () => {
  it.each([
    ["5usd", { usd: 5 }],
    ["$2.50", { usd: 2.5 }],
    ["0.5 USD", { usd: 0.5 }],
    ["2M tokens", { tokens: 2_000_000 }],
    ["10k requests", { requests: 10_000 }],
    ["1_000 tokens", { tokens: 1000 }],
    ["30min", { minutes: 30 }],
    ["2h", { minutes: 120 }],
    ["90s", { minutes: 1.5 }],
    ["5usd, 2M tokens, 30 minutes", { usd: 5, tokens: 2_000_000, minutes: 30 }],
  ])("reads %s", (text, budget) => {
    expect(parseBudget(text)).toEqual(budget)
  })

  it.each(["", "5", "usd", "-1usd", "0usd", "5eur", "$5 tokens", "1usd, 2usd", "1.2.3usd", "5usd,"])(
    "refuses %j",
    (text) => {
      expect(() => parseBudget(text)).toThrow("is not a budget")
    },
  )
})
