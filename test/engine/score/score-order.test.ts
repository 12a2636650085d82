import { expect, it } from "vitest"
import { meanMetric } from "../../../src/core/metric/mean-metric.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { scoreRun } from "../../../src/engine/score/score.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const asked = ["c", "a", "d", "b"]

/** The order in which a metric sees the answers of a run that asked its samples in the order above. */
async function orderOf(extra: Pick<AnyMetric, "asks">): Promise<string[]> {
  const store = openRunStore(scratchDirectory())
  const seen: string[] = []
  const metric: AnyMetric = {
    ...meanMetric({
      name: "seen",
      signature: "seen",
      direction: "higher",
      range: [0, 1],
      measure(sample) {
        seen.push(sample.id)
        return 1
      },
    }),
    ...extra,
  }
  store.saveSamples(
    "f",
    ["a", "b", "c", "d"].map((id) => fakeSample(id)),
    0,
  )
  asked.forEach((sampleId, position) => {
    const { retryAfterMs: _, ...answer } = fakeAnswer("x")
    const place = { variant: "v", sampleId, repeat: 0, segment: 0, position }
    const cost = { status: "unknown", reason: "no price" } as const
    store.saveGeneration("r", { ...answer, ...place, source: "recorded", retries: [], cost })
  })
  const { signal } = new AbortController()
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
  store.close()
  return seen
}

it("scores in the order in which rows are kept, so that no page of the store is written again for each row", async () => {
  expect(await orderOf({})).toEqual(["a", "b", "c", "d"])
})

it("scores in the order of the plan where a model is asked: a budget that ends halfway paid for a random part", async () => {
  const judge = fakeProvider("judge", () => fakeAnswer("5"))
  expect(await orderOf({ asks: [judge] })).toEqual(asked)
})
