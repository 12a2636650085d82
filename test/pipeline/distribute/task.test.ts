import { expect, it } from "vitest"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { variantFingerprint } from "../../../src/core/variant.ts"
import { runFingerprint, taskOf } from "../../../src/pipeline/distribute/task.ts"
import { planRun } from "../../../src/run/plan.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

it("has prices, retries and time-outs of the run, whatever the worker's own config says", () => {
  const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, source: "run", date: "2026-01-01" }
  const own = fakeVariant(
    "a",
    fakeProvider("m", () => fakeAnswer("yes")),
  )
  const sampleIds = ["s0", "s1"]
  const plan = planRun({ variants: [own], sampleIds, datasetFingerprint: "f", repeats: 1, seed: 5, concurrency: 4 })
  const retry = { retries: 2, baseDelayMs: 1, maxDelayMs: 1 }
  const timeouts = { connectMs: 1, firstTokenMs: 1, gapMs: 1, totalMs: 1 }
  const record = {
    ...{ id: "r", plan: plan.hash, seed: 5, repeats: 1, metrics: [], dataset: { fingerprint: "f" } },
    variants: [{ name: "a", fingerprint: variantFingerprint(own) }],
    config: { retry, timeouts, variants: [{ name: "a", price }] },
  } as unknown as RunRecord
  const store = { run: () => record, sampleIds: () => sampleIds, events: () => [] } as unknown as RunStore
  const worker = { variants: [{ ...own, price: { ...price, inputPerMillion: 1000 } }], metrics: [], retry: null }
  const job = { runId: "r", slice: 0, samples: 2, fingerprint: runFingerprint(record), version: "1" }
  const { evaluation } = taskOf(job, { ...worker, concurrency: 4 } as unknown as Evaluation, store, "1")
  expect(evaluation).toMatchObject({ retry, timeouts, variants: [{ price }] })
})
