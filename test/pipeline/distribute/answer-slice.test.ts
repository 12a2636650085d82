import { expect, it } from "vitest"
import { systemClock } from "../../../src/core/clock.ts"
import type { Evaluation } from "../../../src/core/run/evaluation.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { Variant } from "../../../src/core/variant.ts"
import { answerSlice } from "../../../src/pipeline/distribute/answer-slice.ts"
import { startRunWork } from "../../../src/pipeline/distribute/run-work.ts"
import { cutSlices } from "../../../src/pipeline/distribute/slices.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeSample, fakeVariant } from "../../support/fake-variant.ts"
import { scratchStore } from "../../support/scratch-store.ts"

const order = ["s0", "s1", "s2", "s3"]

/** Workers of one run of these variants, each with four samples. */
function workersOf(names: readonly string[], variants: readonly Variant[]) {
  const store = scratchStore()
  store.saveSamples(
    "data",
    order.map((id) => fakeSample(id)),
    0,
  )
  const evaluation = {
    variants,
    repeats: 1,
    seed: 1,
    concurrency: 2,
    metrics: [],
    budget: {},
    cache: false,
    retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 1 },
    timeouts: { connectMs: 1_000, firstTokenMs: 1_000, gapMs: 1_000, totalMs: 5_000 },
  } as unknown as Evaluation
  const record = {
    id: "r",
    variants: variants.map(({ name }) => ({ name })),
    dataset: { fingerprint: "data" },
  } as unknown as RunRecord
  const task = {
    record,
    evaluation,
    slices: cutSlices({ variants, repeats: 1, order, samples: 4 }),
    privateOf: () => null,
  }
  const works = names.map((name) =>
    startRunWork(
      {
        store,
        clock: systemClock,
        environment: {},
        cacheDirectory: "",
        name,
        version: "1",
        signal: new AbortController().signal,
      },
      task,
    ),
  )
  return { store, works }
}

/** Answers after 20 ms. */
const slow = (asked: string[]) =>
  fakeProvider("m", async (_, { sampleId }) => {
    asked.push(String(sampleId))
    await new Promise((resolve) => setTimeout(resolve, 20))
    return fakeAnswer("yes")
  })

it("asks each call once, however often a slice comes at the same time to one worker or to two", async () => {
  const asked: string[] = []
  const { store, works } = workersOf(["one", "two"], [fakeVariant("a", slow(asked))])
  await Promise.all(works.flatMap((work) => [answerSlice(work, 0), answerSlice(work, 0)]))
  expect(asked.sort()).toEqual(order)
  expect([...store.generations("r", "a")].map(({ worker }) => worker)).toEqual(Array(4).fill("one"))
  await Promise.all(works.map((work) => work.end()))
}, 60_000)

it("keeps a slice until what it has in flight is answered, where its next variant cannot begin", async () => {
  const asked: string[] = []
  const closed = { ...slow([]), open: () => Promise.reject(new Error("no such model")) }
  const { store, works } = workersOf(["one"], [fakeVariant("a", slow(asked)), fakeVariant("b", closed)])
  await expect(answerSlice(works[0]!, 0)).rejects.toThrow("no such model")
  expect([...store.generations("r", "a")]).toHaveLength(asked.length)
  expect(store.claims("r")).toBe(0)
  await works[0]!.end()
}, 60_000)
