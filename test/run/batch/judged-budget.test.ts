import { expect, it } from "vitest"
import { rubric } from "../../../judges/rubric-judge.ts"
import { helpfulness } from "../../../judges/rubrics/helpfulness.ts"
import { unknownUsage } from "../../../src/core/usage.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { batchPrice, batchServices, runBatched } from "../../support/batch-world.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { scratchDirectory } from "../../support/scratch.ts"

it("keeps the part of a budget that judging takes: what a batch answers is judged", { timeout: 60_000 }, async () => {
  const store = openRunStore(scratchDirectory())
  const mock = await batchServices.openai.start({ looks: 0 })
  const verdict = JSON.stringify({ reasoning: "fine", verdict: "5" })
  const usage = { ...unknownUsage, promptTokens: 300, completionTokens: 40 }
  const judge = fakeProvider("judge", () => fakeAnswer(verdict, "ok", { usage }), { price: batchPrice })
  const quality = rubric({ name: "quality", provider: judge, rubric: helpfulness, parameters: { maxTokens: 100 } })
  try {
    const { report, status } = await runBatched(
      store,
      { a: batchServices.openai.provider(mock, "m") },
      { samples: 100, budget: { usd: 0.2 }, metrics: [quality] },
    )
    expect(status).toBe("incomplete")
    const [variant] = report.variants
    expect(mock.batches.length).toBeGreaterThan(0)
    expect(variant?.finished).toBeGreaterThan(15)
    expect(variant?.finished).toBeLessThan(100)
    expect(variant?.quality[0]?.scored).toBe(variant?.finished)
    const requests = mock.batches.reduce((sum, batch) => sum + batch.requests.length, 0)
    expect(requests * 0.003 + mock.live.length * 0.006 + judge.requests.length * 920e-6).toBeLessThanOrEqual(0.2)
  } finally {
    await mock.close()
    store.close()
  }
})
