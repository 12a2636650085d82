import type { TokenPrice } from "evalkit"
import { describe, expect, it } from "vitest"
import { costOfUsage } from "../../src/cost/cost-of-usage.ts"
import { findPrice } from "../../src/cost/price-book.ts"
import { anthropicCases } from "./usage-cases/anthropic.ts"
import { compatibleCases } from "./usage-cases/compatible.ts"
import { decimal, dollars, sumOfProducts } from "./usage-cases/exact-decimal.ts"
import { geminiAndCohereCases } from "./usage-cases/gemini-and-cohere.ts"
import { openaiCases } from "./usage-cases/openai.ts"
import type { UsageCase } from "./usage-cases/usage-case.ts"

const groups = {
  "Anthropic and Bedrock": anthropicCases,
  "OpenAI and Azure": openaiCases,
  "Gemini and Cohere": geminiAndCohereCases,
  "compatible services and servers": compatibleCases,
}

function priceOf({ price }: UsageCase): TokenPrice {
  if ("book" in price) {
    const row = findPrice(...price.book)
    if (!row) throw new Error(`the price book has no ${price.book.join(" ")}`)
    return row
  }
  return { kind: "tokens", source: "the case", date: "2026-11-22", ...price } as TokenPrice
}

describe("a table of what services report and what it costs", () => {
  it("has at least 60 cases, each with a name of its own", () => {
    const names = Object.entries(groups).flatMap(([group, cases]) => cases.map(({ name }) => `${group}: ${name}`))
    expect(names.length).toBeGreaterThanOrEqual(60)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe.each(Object.entries(groups))("%s", (_group, cases) => {
  it.each(cases.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    if (one.usd !== null && one.millionths !== null)
      expect(sumOfProducts(one.millionths), "the two sums by hand").toBe(decimal(one.usd) * 1_000_000n)
    const { usage } = one.read(one.payload)
    const cost = costOfUsage(usage, priceOf(one), { batch: one.batch ?? false })
    if (one.unknown === undefined) {
      if (cost.status === "unknown") throw new Error(cost.reason)
      expect(dollars(cost.usd)).toBe(decimal(one.usd ?? ""))
      const parts = Object.values(cost.parts).reduce((sum, part) => sum + part, 0)
      expect(parts).toBeCloseTo(cost.usd, 12)
      return
    }
    if (cost.status === "known") throw new Error(`known: ${cost.usd}`)
    expect(cost.reason).toMatch(one.unknown)
    if (one.usd === null) expect(cost.atLeastUsd).toBeUndefined()
    else expect(dollars(cost.atLeastUsd ?? -1)).toBe(decimal(one.usd))
  })
})
