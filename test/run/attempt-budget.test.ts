import { expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"
import { testPrice } from "../support/test-price.ts"

const price = testPrice(0, 1e6)

it("counts each attempt that broke off on the way as what was set aside for it", async () => {
  const store = scratchStore()
  let asked = 0
  // Two of three requests break off after a token: what they cost is unknown.
  const provider = fakeProvider("p", () => fakeAnswer("a", asked++ % 3 === 2 ? "ok" : "truncated"), { price })
  const evaluation = await validateConfig({
    name: "attempts",
    dataset: inline(Array.from({ length: 10 }, (_, i) => ({ id: `s${i}`, input: `q${i}` }))),
    variants: [{ name: "p", provider, parameters: { maxTokens: 5 } }],
    retry: { retries: 2, baseDelayMs: 1, maxDelayMs: 2 },
    budget: { usd: 40 },
    concurrency: 1,
  })
  expect((await runEvaluation({ evaluation, store })).status).toBe("incomplete")
  // A sample takes 5 + 5 + 3 dollars; the third one's last attempt might pass the limit.
  expect(provider.requests).toHaveLength(8)
  const { status } = await runEvaluation({ evaluation: { ...evaluation, budget: { usd: 43 } }, store, resume: null })
  expect([status, provider.requests.length]).toEqual(["incomplete", 9])
})
