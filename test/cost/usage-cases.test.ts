import type { TokenPrice } from "evalkit"
import { describe, expect, it } from "vitest"
import { costOfUsage } from "../../src/cost/cost-of-usage.ts"
import { findPrice } from "../../src/cost/price-book.ts"
import { decimal, dollars, sumOfProducts } from "./exact-decimal.ts"
import { readingOf, type UsageCase, usageCases } from "./usage-cases.ts"

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
    const names = usageCases.map(({ group, name }) => `${group}: ${name}`)
    expect(names.length).toBeGreaterThanOrEqual(60)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(usageCases)("$group: $name", (entry) => {
    if (entry.usd !== null && entry.millionths !== null)
      expect(sumOfProducts(entry.millionths), "the two sums by hand").toBe(decimal(entry.usd) * 1_000_000n)
    const { usage } = readingOf(entry)
    const cost = costOfUsage(usage, priceOf(entry), { batch: entry.batch ?? false })
    if (entry.unknown === undefined) {
      if (cost.status === "unknown") throw new Error(cost.reason)
      expect(dollars(cost.usd)).toBe(decimal(entry.usd ?? ""))
      const parts = Object.values(cost.parts).reduce((sum, part) => sum + part, 0)
      expect(parts).toBeCloseTo(cost.usd, 12)
      return
    }
    if (cost.status === "known") throw new Error(`known: ${cost.usd}`)
    expect(cost.reason).toContain(entry.unknown)
    if (entry.usd === null) expect(cost.atLeastUsd).toBeUndefined()
    else expect(dollars(cost.atLeastUsd ?? -1)).toBe(decimal(entry.usd))
  })
})
