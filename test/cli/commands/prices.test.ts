import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { command } from "../../../src/cli/commands/prices.ts"
import type { PriceCheck } from "../../../src/cost/check/check-prices.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** In the shape of models.dev's api.json: one price that is the book's, one that is not, and a tier. */
const modelsDev = {
  openai: {
    id: "openai",
    models: {
      "gpt-5.4": {
        id: "gpt-5.4",
        cost: {
          input: 2.5,
          output: 15,
          cache_read: 0.25,
          tiers: [{ tier: { type: "context", size: 272_000 }, input: 5, output: 30, cache_read: 0.5 }],
        },
      },
      "gpt-4.1": { id: "gpt-4.1", cost: { input: 2, output: 8, cache_read: 0.5 } },
      "no-cost": { id: "no-cost" },
    },
  },
  anthropic: {
    models: { "claude-haiku-4-5": { cost: { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 } } },
  },
  moonshotai: { models: { "kimi-k3": { cost: { input: 2.8, output: 15, cache_read: 0.3 } } } },
}

/** In the shape of LiteLLM's model_prices_and_context_window.json. */
const litellm = {
  sample_spec: { litellm_provider: "one of https://docs.litellm.ai/docs/providers", input_cost_per_token: 0 },
  "claude-haiku-4-5": {
    litellm_provider: "anthropic",
    input_cost_per_token: 1e-6,
    output_cost_per_token: 5e-6,
    cache_read_input_token_cost: 1e-7,
    cache_creation_input_token_cost: 1.25e-6,
    cache_creation_input_token_cost_above_1hr: 3e-6,
  },
  "gemini/gemini-2.5-pro": {
    litellm_provider: "gemini",
    input_cost_per_token: 1.25e-6,
    output_cost_per_token: 1e-5,
    input_cost_per_token_above_200k_tokens: 2.5e-6,
    output_cost_per_token_above_200k_tokens: 1.6e-5,
  },
}

async function check(table: unknown, args: object = {}) {
  const cwd = scratchDirectory()
  writeFileSync(join(cwd, "table.json"), typeof table === "string" ? table : JSON.stringify(table))
  const io = fakeIo({ cwd })
  const code = await command.run({ check: "table.json", ...args }, io)
  return { code, printed: io.stdout() }
}

describe("evalkit prices --check", () => {
  it("names what models.dev says differently, and nothing else", async () => {
    const { code, printed } = await check(modelsDev, { json: true })
    const { table, compared, missing, differences } = JSON.parse(printed) as PriceCheck
    expect([code, table, compared]).toEqual([0, "models.dev", 4])
    expect(missing).toContain("openai gpt-5.5")
    expect(differences.map(({ model, rate, ours, theirs }) => [model, rate, ours, theirs])).toEqual([
      ["gpt-5.4", "longPrompts.outputPerMillion", 22.5, 30],
      ["kimi-k3", "inputPerMillion", 3, 2.8],
    ])
  })

  it("reads LiteLLM's dollars per token, its one-hour writes and its tiers", async () => {
    const { printed } = await check(litellm, { json: true })
    const { table, compared, differences } = JSON.parse(printed) as PriceCheck
    expect([table, compared]).toEqual(["LiteLLM", 2])
    expect(differences.map(({ model, rate, ours, theirs }) => [model, rate, ours, theirs])).toEqual([
      ["claude-haiku-4-5", "cacheWrite1hPerMillion", 2, 3],
      ["gemini-2.5-pro", "longPrompts.outputPerMillion", 15, 16],
    ])
  })

  it("prints a sentence and a row for each rate", async () => {
    const { printed } = await check(modelsDev)
    expect(printed).toMatch(
      /^table\.json: models\.dev differs from the price book in 2 of 4 rows that both have\. It does not have \d+ other/,
    )
    expect(printed).toMatch(/moonshot +kimi-k3 +inputPerMillion +3 +2\.8 +2026-11-10/)
    const same = await check(
      { openai: { models: { "gpt-4.1": { cost: { input: 2, output: 8 } } } } },
      { model: "gpt-4.1" },
    )
    expect(same.printed).toMatch(/^table\.json: models\.dev agrees with the 1 row of the price book/)
  })

  it.each([
    ["{", "the file is not JSON: table.json:1;"],
    ['{\n  "openai": {},\n  "models": {},\n}\n', "the file is not JSON: table.json:4;"],
    ['{\n  "openai": {},\n', "the file is not JSON: table.json:2;"],
    ["\n", "the file is empty: table.json;"],
    ['{"a": 1}', "no price table that evalkit knows: table.json;"],
    ['[{"cost": 1}]', "no price table that evalkit knows: table.json;"],
  ])("refuses %s", async (text, message) => {
    await expect(check(text)).rejects.toThrow(message)
  })

  it("says which file is not there", async () => {
    await expect(command.run({ check: "no.json" }, fakeIo({ cwd: scratchDirectory() }))).rejects.toThrow(
      "there is no such price table: no.json; give the file",
    )
  })
})

describe("evalkit prices", () => {
  it("shows the rows of a model with source and date", async () => {
    const io = fakeIo({ cwd: scratchDirectory() })
    expect(await command.run({ model: "GPT-5.4-mini" }, io)).toBe(0)
    expect(io.stdout()).toMatch(/openai +gpt-5\.4-mini +0\.75 +0\.075 +4\.5 +2026-11-10 +developers\.openai\.com/)
    await expect(command.run({ model: "no-such" }, io)).rejects.toThrow(/no such model/)
    await expect(command.run({ model: "gpt4.1" }, io)).rejects.toThrow(
      'the price book has no such model: gpt4.1; did you mean "gpt-4.1"? list all with: evalkit prices',
    )
  })
})
