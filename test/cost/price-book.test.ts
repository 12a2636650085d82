import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { costOfUsage } from "../../src/cost/cost-of-usage.ts"
import {
  findContextWindow,
  findPrice,
  findRetirement,
  listPrice,
  type PriceBookRow,
  priceBook,
  providerOf,
} from "../../src/cost/price-book.ts"
import { openai } from "../../src/providers/openai.ts"
import * as presets from "../../src/providers/presets.ts"

const name = ({ provider, model }: PriceBookRow) => `${provider} ${model}`
const newest = priceBook
  .map((row) => row.date)
  .sort()
  .at(-1) as string

describe("every row of the price book", () => {
  it("is one of at least 100", () => {
    expect(priceBook.length).toBeGreaterThanOrEqual(100)
  })

  it.each(priceBook.map((row) => [name(row), row] as const))("%s holds together", (_name, row) => {
    expect(row.source).toMatch(/^[a-z.-]+\.[a-z]+(\/[\w./-]+)?(, by |; | \(|$)/)
    expect(new Date(`${row.date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(row.date)
    expect(Date.parse(newest) - Date.parse(row.date)).toBeLessThan(183 * 86_400_000)
    expect(row.inputPerMillion).toBeGreaterThan(0)
    expect(row.outputPerMillion).toBeGreaterThan(0)
    expect(row.cachedInputPerMillion ?? 0).toBeLessThanOrEqual(row.inputPerMillion)
    expect(row.cachedInputPerMillion).not.toBe(0)
    expect(row.batchDiscount ?? 0.5).toBeGreaterThan(0)
    expect(row.batchDiscount ?? 0.5).toBeLessThan(1)
    expect(row.contextTokens ?? 4096).toSatisfy((tokens: number) => Number.isInteger(tokens) && tokens >= 4096)
  })

  it("is the only one of its model", () => {
    expect(new Set(priceBook.map((row) => name(row).toLowerCase())).size).toBe(priceBook.length)
  })

  it("was not read after today", () => {
    expect(Date.parse(newest)).toBeLessThanOrEqual(Date.now())
  })
})

describe("OpenAI's priority tier", () => {
  // Dollars per million of input, cached input and output, as openai.com/api-priority-processing lists them.
  it.each([
    ["gpt-5.4", 5, 0.5, 30],
    ["gpt-5.4-mini", 1.5, 0.15, 9],
    ["gpt-5.2", 3.5, 0.35, 28],
    ["gpt-5.1", 2.5, 0.25, 20],
    ["gpt-5", 2.5, 0.25, 20],
    ["gpt-5-mini", 0.45, 0.045, 3.6],
    ["gpt-4.1", 3.5, 0.875, 14],
    ["gpt-4.1-mini", 0.7, 0.175, 2.8],
    ["gpt-4o", 4.25, 2.125, 17],
    ["gpt-4o-mini", 0.25, 0.125, 1],
    ["o3", 3.5, 0.875, 14],
  ])("of %s costs what is published", (model, input, cached, output) => {
    const usage = { promptTokens: 2e5, cachedPromptTokens: 1e5, completionTokens: 1e5, reasoningTokens: null }
    const cost = costOfUsage({ ...usage, serviceTier: "priority" }, findPrice("openai", model))
    expect(cost).toMatchObject({ status: "known", usd: expect.closeTo((input + cached + output) / 10, 12) })
  })
})

/** Presets without list prices, and why. */
const unlisted: ReadonlyMap<string, string> = new Map([
  ["openrouter", "resells, and says in each answer what it charged"],
  ["azureOpenai", "prices by region and agreement; a deployment's name does not tell its model"],
  ...["vllm", "sglang", "llamaCppServer", "ollama", "lmStudio", "nim", "tensorRtLlm"].map(
    (preset) => [preset, "runs on hardware of one's own"] as const,
  ),
])

describe("the presets", () => {
  const { azureOpenai, presets: _table, ...services } = presets

  it.each(Object.keys({ azureOpenai, ...services }))(
    "%s has at least three models in the book, or a reason why none",
    (preset) => {
      const rows = priceBook.filter((row) => row.provider === preset).length
      if (unlisted.has(preset)) expect(rows).toBe(0)
      else expect(rows).toBeGreaterThanOrEqual(3)
    },
  )

  it.each(Object.entries(services))("%s finds its rows by name and by address", (preset, create) => {
    for (const row of priceBook.filter(({ provider }) => provider === preset)) {
      const provider = create({ model: row.model })
      expect(listPrice(provider)).toBe(row)
      expect(findPrice(provider.endpoint, row.model), `${provider.endpoint} ${row.model}`).toBe(row)
    }
  })

  it("find no price in the book for a proxy that only speaks the protocol", () => {
    expect(listPrice(openai({ baseUrl: "https://proxy.example/v1", model: "gpt-4.1" }))).toBeNull()
    expect(listPrice({ kind: "groq", endpoint: "proxy.example", model: "openai/gpt-oss-20b" })).not.toBeNull()
  })
})

describe("a model in the price book", () => {
  it.each([
    // provider or host, what a client sends, dollars per million output tokens
    ["openai", "gpt-4.1-mini", 1.6],
    ["api.openai.com", "GPT-4.1-mini", 1.6],
    ["openai", "openai/gpt-4.1-mini", 1.6],
    ["openai", "gpt-4.1-mini-2025-04-14", 1.6],
    ["openai", "gpt-5.4-nano-2026-03-17", 1.25],
    ["openai", "openai/gpt-6.1-sol-2026-09-29", 10],
    ["openai", "gpt-4o-2024-08-06", 10],
    ["openai", "gpt-4o-2024-05-13", 15],
    ["anthropic", "claude-haiku-4-5-20251001", 5],
    ["api.anthropic.com", "anthropic/claude-opus-4-5-20251101", 25],
    ["generativelanguage.googleapis.com", "models/gemini-2.5-flash", 2.5],
    ["gemini", "google/gemini-2.5-flash", 2.5],
    ["google", "gemini-2.5-flash", 2.5],
    ["mistral", "mistral-medium-latest", 7.5],
    ["mistral", "mistralai/ministral-8b-2512", 0.15],
    ["groq", "openai/gpt-oss-120b", 0.6],
    ["api.groq.com", "groq/openai/gpt-oss-120b", 0.6],
    ["together", "qwen/qwen3.5-9b", 0.25],
    ["fireworks", "accounts/fireworks/models/kimi-k3", 15],
    ["inference.baseten.co", "moonshotai/Kimi-K3", 15],
    ["api.cohere.ai", "command-a-03-2025", 10],
    ["xai", "x-ai/grok-4.7", 6],
    ["api.minimax.io", "MiniMax-M3", 1.2],
  ] as const)("is found as %s %s", (provider, model, outputPerMillion) => {
    expect(findPrice(provider, model)?.outputPerMillion).toBe(outputPerMillion)
  })

  it.each([
    ["openai", "gpt-4.1-mini-next", "a near name"],
    ["openai", "gpt-4.1-2025-13-45", "no date at its end"],
    ["openai", "gpt-4.1-0613", "no whole date at its end"],
    ["openai", "gpt-4.1-mini-latest", "an alias that the provider does not have"],
    ["openai", "ft:gpt-4.1-mini-2025-04-14:acme::7p4lURel", "a fine-tuned model has a price of its own"],
    ["openai", "groq/gpt-4.1-mini", "another provider's name before it"],
    ["openai", "gpt-3.5-turbo", "retired"],
    ["openrouter", "openai/gpt-4.1", "resold"],
    ["acme.openai.azure.com", "gpt-4.1", "a deployment's name"],
    ["localhost", "gpt-4.1-mini", "nobody's price"],
    ["openai", "", "no model"],
    ["", "gpt-4.1", "no provider"],
    ["openai", "__proto__", "no model"],
  ])("is not guessed for %s %s: %s", (provider, model) => {
    expect(findPrice(provider, model)).toBeNull()
    expect(findContextWindow(provider, model)).toBeNull()
  })

  it("says when its price is that of the model that it is a snapshot of", () => {
    expect(findPrice("openai", "gpt-4.1-2025-04-14")?.source).toMatch(/; the price of gpt-4\.1$/)
    expect(findPrice("openai", "gpt-4.1")?.source).not.toMatch(/the price of/)
    expect(findPrice("openai", "openai/gpt-4.1")?.source).not.toMatch(/the price of/)
  })

  it("has one price, however its name is written and whatever day its snapshot is of", () => {
    const day = fc.date({ min: new Date("2024-06-01"), max: new Date("2029-12-31"), noInvalidDate: true })
    fc.assert(
      fc.property(fc.constantFrom(...priceBook), day, fc.boolean(), fc.boolean(), (row, date, upper, dashes) => {
        const iso = date.toISOString().slice(0, 10)
        const written = upper ? row.model.toUpperCase() : row.model
        const snapshot = `${row.provider}/${written}-${dashes ? iso : iso.replaceAll("-", "")}`
        expect(findPrice(row.provider, written)).toBe(row)
        expect(findPrice(row.provider, snapshot)).toMatchObject({
          inputPerMillion: row.inputPerMillion,
          outputPerMillion: row.outputPerMillion,
        })
        expect(findContextWindow(row.provider, snapshot)?.tokens ?? null).toBe(row.contextTokens)
      }),
    )
  })

  it("is looked up for any text without a fault", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (provider, model) => {
        expect(findPrice(provider, model)).toBeNull()
      }),
    )
  })
})

describe("a model of a log", () => {
  it("is served by the maker before its slash, else by the only provider of the book that has it", () => {
    expect(["gpt-4.1-mini", "google/gemini-2.5-pro", "models/gemini-2.5-pro", "nobody's"].map(providerOf)).toEqual([
      ...["openai", "google", "gemini", null],
    ])
  })

  it("has the day on which its maker shuts it down, and of a snapshot with a day of its own that day", () => {
    const days = [
      ...[["openai", "gpt-4o-2024-05-13"] as const, ["openai", "gpt-4o-2024-08-06"] as const],
      ...[["anthropic", "claude-sonnet-4-5-20250929"] as const, [null, "gpt-4-turbo"] as const],
      ...[["google", "google/gemini-2.5-pro"] as const, ["azure", "gpt-4o"] as const, [null, "gpt-4o-nano"] as const],
    ].map(([provider, model]) => findRetirement(provider, model)?.day ?? null)
    expect(days).toEqual(["2026-10-23", "2027-01-14", "2026-11-30", "2026-10-23", "2026-12-01", null, null])
  })
})
