import fc from "fast-check"
import { validateConfig } from "../../../src/config/validate.ts"
import type { Usage } from "../../../src/core/usage.ts"
import { costOfUsage } from "../../../src/cost/cost-of-usage.ts"
import { findPrice } from "../../../src/cost/price-book.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { faultOf } from "../faults.ts"
import { editJson, jsonEdits, texts } from "../inputs.ts"
import { surface } from "../surface.ts"

const dated = { source: "list", date: "2026-01-01" }
const book = [
  { kind: "tokens", inputPerMillion: 1, cachedInputPerMillion: 0.1, outputPerMillion: 2, batchDiscount: 0.5, ...dated },
  { kind: "hourly", usdPerHour: 2, instances: 1, utilisation: 0.5, ...dated },
  { kind: "owned", purchaseUsd: 2000, lifeHours: 20_000, watts: 300, usdPerKwh: 0.3, utilisation: 0.5, ...dated },
]
const provider = fakeProvider("m", () => fakeAnswer("x"))
const tokens = fc.option(fc.oneof(fc.nat(), fc.constantFrom(2 ** 53, 0)))

/** Prices of a config, model names that are looked up, and usage that they are multiplied by. */
export const prices = surface(
  "prices and price books",
  7,
  () =>
    fc.record({
      price: fc.tuple(fc.constantFrom(...book), jsonEdits(2)).map(([price, edits]) => editJson(price, edits)),
      service: fc.oneof(texts, fc.constantFrom("openai", "anthropic", "api.openai.com", "gemini")),
      model: fc.oneof(
        texts,
        fc
          .tuple(fc.constantFrom("gpt-4.1", "models/", "claude-haiku-4-5-", "openai/"), texts)
          .map((parts) => parts.join("")),
      ),
      usage: fc.record({
        promptTokens: tokens,
        completionTokens: tokens,
        cachedPromptTokens: tokens,
        reasoningTokens: tokens,
      }),
    }),
  ({ price, service, model, usage }) =>
    faultOf(async () => {
      costOfUsage(usage as Usage, findPrice(service, model))
      const { variants } = await validateConfig({ variants: [{ name: "a", provider, price }] })
      const cost = costOfUsage(usage as Usage, variants[0]!.price)
      if (cost.status === "known" && !(Number.isFinite(cost.usd) && cost.usd >= 0))
        throw new Error(`a cost of ${cost.usd}`)
    }),
)
