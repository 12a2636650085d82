import { describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import { plannedCalls, planRun } from "../../../src/run/plan.ts"
import { endOfCalls } from "../../../src/run/planned/end-of-calls.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer, fakeGeneration, fakeProvider } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { scratchStore } from "../../support/scratch-store.ts"
import { testPrice } from "../../support/test-price.ts"

const ids = Array.from({ length: 40 }, (_, i) => `s${i}`)
const dataset = () => inline(ids.map((id) => ({ id, input: `say ${id}`, reference: id })))

function run(evaluation: Evaluation, store = openRunStore(scratchDirectory())) {
  return runEvaluation({ evaluation, store, id: "run" })
}

/** A dollar buys six of these calls at their most, 200 at what they use. */
const price = testPrice(1, 10)
const dear = fakeProvider("dear", async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return fakeAnswer("x", "ok", { usage: { ...fakeAnswer("x").usage, promptTokens: 20, completionTokens: 500 } })
})

describe("why calls were not made", () => {
  it("is the budget where calls did not fit into it, also beside those in flight: no endpoint failed", async () => {
    const evaluation = await validateConfig({
      dataset: dataset(),
      variants: [{ name: "a", provider: dear, price, parameters: { maxTokens: 16_000 } }],
      metrics: [exactMatch()],
      concurrency: 16,
      budget: { usd: 0.2 },
    })
    const { status, reason } = await run(evaluation)
    expect(status).toBe("incomplete")
    expect(reason).toMatch(/calls have no answer: the budget of \$0\.2 /)
    expect(reason).not.toMatch(/given up|endpoint/)
  })

  const variants = [
    { name: "a", provider: dear },
    { name: "b", provider: dear },
  ]
  it.each([
    ["why is not on record", {}, {}],
    ["its server did not start", { failure: "its server did not start" }, { a: "the budget of $1 is spent" }],
    ["given up after 8 failures in a row", { givenUp: "given up after 8 failures in a row" }, {}],
    ["the budget of $1 is spent", {}, { a: "the budget of $1 is spent", b: "the budget of $1 is spent" }],
    ["a: the budget of $1 is spent · b: why is not on record", {}, { a: "the budget of $1 is spent" }],
  ])("is said as it is on record: %s", async (reason, state, unaffordable) => {
    const store = scratchStore()
    const evaluation = await validateConfig({ dataset: dataset(), variants, metrics: [exactMatch()] })
    const { record } = await run({ ...evaluation, budget: { requests: 0 } }, store)
    for (const name of ["a", "b"])
      store.saveVariantState(record.id, name, { resources: null, notes: [], failure: null, ...state })
    const plan = planRun({ ...evaluation, sampleIds: ids, datasetFingerprint: record.dataset.fingerprint })
    const end = { stop: null, unaffordable: new Map(Object.entries(unaffordable)), scored: true }
    const { signal } = new AbortController()
    expect(endOfCalls({ store, signal }, record, plan, undefined, end).reason).toBe(
      `80 of 80 calls have no answer: ${reason}`,
    )
  })

  it("is no end while a batch asks again what had failed", async () => {
    const store = scratchStore()
    const evaluation = await validateConfig({ dataset: dataset(), variants, metrics: [exactMatch()] })
    const { record } = await run({ ...evaluation, budget: { requests: 0 } }, store)
    const plan = planRun({ ...evaluation, sampleIds: ids, datasetFingerprint: record.dataset.fingerprint })
    for (const [position, { variant, sampleId }] of [...plannedCalls(plan)].entries())
      store.saveGeneration(
        record.id,
        fakeGeneration("x", { variant, sampleId, position, outcome: position === 3 ? "batch_missing" : "ok" }),
      )
    const end = () =>
      endOfCalls({ store, signal: new AbortController().signal }, record, plan, undefined, {
        ...{ stop: null, unaffordable: new Map(), scored: true },
      }).status
    const batch = { tag: "t", key: "k", variant: "a", calls: [3], withheld: [], uploaded: null, sentAt: "" } as const
    const nothing = { id: null, end: null, endedAt: null, reason: null }
    store.saveBatch(record.id, { ...batch, ...nothing, state: "sent" })
    expect(end()).toBe("incomplete")
    store.saveBatch(record.id, { ...batch, ...nothing, state: "over" })
    expect(end()).toBe("finished")
  })
})
