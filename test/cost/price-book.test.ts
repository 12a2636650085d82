import { describe, expect, it } from "vitest"
import { findPrice, priceBook } from "../../src/cost/price-book.ts"

describe("the price book", () => {
  it("holds at least 100 models, each with its source and date", () => {
    expect(priceBook.length).toBeGreaterThanOrEqual(100)
    for (const row of priceBook) {
      expect(row.source).not.toBe("")
      expect(row.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    }
  })

  it("holds no price of 0, no cached rate above the full rate, and each model once", () => {
    for (const row of priceBook) {
      expect(Math.min(row.inputPerMillion, row.outputPerMillion)).toBeGreaterThan(0)
      expect(row.cachedInputPerMillion ?? 0).toBeLessThanOrEqual(row.inputPerMillion)
    }
    expect(new Set(priceBook.map((row) => `${row.provider} ${row.model}`)).size).toBe(priceBook.length)
  })

  it("finds a model by preset or by host", () => {
    const price = { inputPerMillion: 0.4, cachedInputPerMillion: 0.1, outputPerMillion: 1.6, batchDiscount: 0.5 }
    expect(findPrice("openai", "gpt-4.1-mini")).toMatchObject(price)
    expect(findPrice("api.openai.com", "GPT-4.1-mini")).toMatchObject(price)
    expect(findPrice("generativelanguage.googleapis.com", "models/gemini-2.5-flash")).toMatchObject({
      outputPerMillion: 2.5,
    })
  })

  it("does not guess the price of a model that it does not know", () => {
    expect(findPrice("openai", "gpt-4.1-mini-next")).toBeNull()
    expect(findPrice("localhost", "gpt-4.1-mini")).toBeNull()
  })
})
