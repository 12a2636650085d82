import { expect, it } from "vitest"
import { rubric } from "../../../judges/rubric-judge.ts"
import { helpfulness } from "../../../judges/rubrics/helpfulness.ts"
import { systemClock } from "../../../src/core/clock.ts"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import { unknownUsage } from "../../../src/core/usage.ts"
import { answerSlice } from "../../../src/pipeline/distribute/answer-slice.ts"
import { startRunWork } from "../../../src/pipeline/distribute/run-work.ts"
import { cutSlices } from "../../../src/pipeline/distribute/slices.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeSample, fakeVariant } from "../../support/fake-variant.ts"
import { scratchStore } from "../../support/scratch-store.ts"
import { testPrice } from "../../support/test-price.ts"

const price = testPrice(1, 10)

it("keeps the part of a shared budget that judging takes: what workers answer is judged", {
  timeout: 60_000,
}, async () => {
  const store = scratchStore()
  const paid = { answers: 0, verdicts: 0 }
  const usage = { ...unknownUsage, promptTokens: 20, completionTokens: 20 }
  const provider = fakeProvider("m", async () => {
    paid.answers++
    await new Promise((resolve) => setTimeout(resolve, 1))
    return fakeAnswer(`an answer ${paid.answers}`, "ok", { usage })
  })
  const judge = fakeProvider(
    "judge",
    async () => {
      paid.verdicts++
      await new Promise((resolve) => setTimeout(resolve, 2))
      const text = JSON.stringify({ reasoning: "fine", verdict: "5" })
      return fakeAnswer(text, "ok", { usage: { ...unknownUsage, promptTokens: 300, completionTokens: 40 } })
    },
    { price },
  )
  const order = Array.from({ length: 160 }, (_, i) => `s${i}`)
  store.saveSamples(
    "data",
    order.map((id) => fakeSample(id)),
    0,
  )
  const variants = [fakeVariant("a", provider, { price, parameters: { maxTokens: 40 } })]
  const limitUsd = 0.1
  store.setQuota("r", "usd", limitUsd, 0)
  const evaluation = {
    variants,
    repeats: 1,
    seed: 1,
    concurrency: 4,
    metrics: [rubric({ name: "quality", provider: judge, rubric: helpfulness, parameters: { maxTokens: 100 } })],
    budget: {},
    cache: false,
    retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 1 },
    timeouts: { connectMs: 1_000, firstTokenMs: 1_000, gapMs: 1_000, totalMs: 5_000 },
  } as unknown as Evaluation
  const record = { id: "r", variants: [{ name: "a" }], dataset: { fingerprint: "data" } } as unknown as RunRecord
  const slices = cutSlices({ variants, repeats: 1, order, samples: 4 })
  const task = { record, evaluation, slices, privateOf: () => null }
  const context = { store, clock: systemClock, environment: {}, cacheDirectory: "", version: "1" }
  const { signal } = new AbortController()
  const works = ["one", "two"].map((name) => startRunWork({ ...context, name, signal }, task))
  // Six slices at a time for each worker, as a queue brings them: what failed comes again.
  let tries = 0
  const waiting = Array.from({ length: 40 }, (_, slice) => slice)
  const take = async (work: (typeof works)[number]): Promise<void> => {
    for (let slice = waiting.shift(); slice !== undefined && tries++ < 400; slice = waiting.shift()) {
      const failed = slice
      await answerSlice(work, failed).catch(async () => {
        waiting.push(failed)
        await new Promise((resolve) => setTimeout(resolve, 10))
      })
    }
  }
  // As the coordinator does: what calls did not use is anybody's again.
  const reclaiming = setInterval(() => store.reclaim("r", 60), 10)
  await Promise.all(works.flatMap((work) => Array.from({ length: 6 }, () => take(work))))
  clearInterval(reclaiming)
  const answered = [...store.generations("r", "a")].length
  const countJudged = () =>
    store.answerRows("r", "a", order).filter(({ measured }) => measured.status === "scored").length
  // Verdicts in flight when the budget ended are paid for.
  for (let waits = 0; waits < 100 && countJudged() < answered; waits++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const judged = countJudged()
  // 108 would use all of it.
  expect(answered).toBeGreaterThan(60)
  expect(answered).toBeLessThan(160)
  expect(judged).toBe(answered)
  await Promise.all(works.map((work) => work.end()))
  store.reclaim("r", 60)
  const usedUsd = store.quota("r", "usd")?.used ?? Number.NaN
  const paidUsd = paid.answers * 220e-6 + paid.verdicts * 700e-6
  // A verdict that was broken off counts as what was set aside for it.
  expect(usedUsd).toBeGreaterThan(paidUsd - 1e-9)
  expect(usedUsd).toBeLessThan(paidUsd + 6 * 1_600e-6)
  expect(usedUsd).toBeLessThanOrEqual(limitUsd)
})
