import { expect, it } from "vitest"
import { lostQuota } from "../../src/core/run/stored-work.ts"
import { copyAnswers } from "../../src/pipeline/copy-answers.ts"
import { planRun } from "../../src/run/plan.ts"
import { fakeProvider } from "../support/fake-provider.ts"
import { fakeVariant } from "../support/fake-variant.ts"
import { fakeRecord } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"

it("counts what died with workers of the run that it extends, too: it may have been billed", () => {
  const store = scratchStore()
  const variants = [
    fakeVariant(
      "a",
      fakeProvider("m", () => Promise.reject(new Error("nobody asks it"))),
    ),
  ]
  const plan = planRun({ variants, sampleIds: ["s0"], datasetFingerprint: "f", repeats: 1, seed: 5, concurrency: 1 })
  const variant = { name: "a", model: "m", provider: "fake", quantization: null, fingerprint: "v", priceSource: null }
  store.setQuota("first", lostQuota("requests"), 0, 3)
  const extension = { of: "first" } as never
  copyAnswers(store, fakeRecord("second", { variants: [variant], extension }), plan)
  expect(store.quota("second", lostQuota("requests"))?.used).toBe(3)
  expect(store.quota("second", lostQuota("usd"))).toBeNull()
})
