import { describe, expect, it } from "vitest"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type AnyMetric, unscored } from "../../src/core/metric/metric.ts"
import { scoreRun } from "../../src/score/score.ts"
import { fakeAnswer, fakeGeneration, fakeProvider } from "../support/fake-provider.ts"
import { fakeSample } from "../support/fake-variant.ts"
import { scratchStore } from "../support/scratch-store.ts"

/** Scores a run that asked its samples in this order; the samples in the order in which rows are kept of them. */
async function score(
  asked: readonly string[],
  measure: (sampleId: string) => number | Promise<number>,
  extra: Pick<AnyMetric, "asks"> = {},
): Promise<string[]> {
  const store = scratchStore()
  store.saveSamples(
    "f",
    asked.toSorted().map((id) => fakeSample(id)),
    0,
  )
  asked.forEach((sampleId, position) => {
    store.saveGeneration("r", fakeGeneration("x", { variant: "v", sampleId, position, source: "recorded" }))
  })
  const { signal } = new AbortController()
  const metric: AnyMetric = {
    ...meanMetric({
      name: "seen",
      signature: "seen",
      direction: "higher",
      range: [0, 1],
      measure: ({ id }) => measure(id),
    }),
    ...extra,
  }
  await scoreRun({
    runId: "r",
    store,
    dataset: "f",
    variants: ["v"],
    metrics: [metric],
    tools: { signal, seed: 1 } as never,
    signal,
    repair: false,
    onScored() {},
  })
  return [...store.rows("r", "v", "seen")].map(({ sampleId }) => sampleId)
}

describe("the order of scoring", () => {
  const asked = ["c", "a", "d", "b"]
  const orderSeen = async (extra: Pick<AnyMetric, "asks">) => {
    const seen: string[] = []
    await score(asked, (id) => seen.push(id), extra)
    return seen
  }

  it("is that in which rows are kept, so that no page of the store is written again for each row", async () => {
    expect(await orderSeen({})).toEqual(["a", "b", "c", "d"])
  })

  it("is that of the plan where a model is asked: a budget that ends halfway paid for a random part", async () => {
    const judge = fakeProvider("judge", () => fakeAnswer("5"))
    expect(await orderSeen({ asks: [judge] })).toEqual(asked)
  })
})

describe("scoring of many answers", () => {
  const ids = Array.from({ length: 200 }, (_, i) => `s${String(i).padStart(3, "0")}`)

  it("measures the next ones while one of those before waits for its judge", async () => {
    let hundredth = () => {}
    const isAsked = new Promise<void>((resolve) => {
      hundredth = resolve
    })
    const scored = await score(ids, async (id) => {
      if (id === ids[100]) hundredth()
      // The first answer's judge takes as long as it takes until somebody asks about the hundredth.
      if (id === ids[0]) await isAsked
      return 1
    })
    expect(scored).toEqual(ids)
  }, 10_000)

  it("keeps the rows of all in order, however long each takes", async () => {
    const scored = await score(ids, async (id) => {
      await new Promise((resolve) => setTimeout(resolve, (Number(id.slice(1)) * 7) % 20))
      return 1
    })
    expect(scored).toEqual(ids)
  })
})

it("measures the answer that came in the place of a failure while the failure was scored", async () => {
  const store = scratchStore()
  store.saveSamples("f", [fakeSample("s0")], 0)
  store.saveGeneration("r", fakeGeneration("right"))
  const metric = meanMetric({ name: "seen", signature: "", direction: "higher", range: [0, 1], measure: () => 1 })
  store.saveRows("r", [
    { variant: "a", sampleId: "s0", repeat: 0, metric: "seen", value: null, measured: unscored("failed") },
  ])
  const { signal } = new AbortController()
  const run = { runId: "r", store, dataset: "f", variants: ["a"], metrics: [metric], onScored() {} }
  await scoreRun({ ...run, tools: { signal, seed: 1 } as never, signal, repair: false })
  expect([...store.rows("r", "a", "seen")]).toMatchObject([{ value: 1 }])
})
