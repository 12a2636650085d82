import { expect, it } from "vitest"
import { meanMetric } from "../../../src/core/metric/mean-metric.ts"
import { scoreRun } from "../../../src/engine/score/score.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const answers = 200
const ids = Array.from({ length: answers }, (_, i) => `s${String(i).padStart(3, "0")}`)

/** Scores 200 answers with one metric, and says which of them have rows in the store at the end. */
async function score(measure: (sampleId: string) => Promise<number>): Promise<string[]> {
  const store = openRunStore(scratchDirectory())
  store.saveSamples(
    "f",
    ids.map((id) => fakeSample(id)),
    0,
  )
  ids.forEach((sampleId, position) => {
    const { retryAfterMs: _, ...answer } = fakeAnswer("x")
    const place = { variant: "v", sampleId, repeat: 0, segment: 0, position }
    const cost = { status: "unknown", reason: "no price" } as const
    store.saveGeneration("r", { ...answer, ...place, source: "recorded", retries: [], cost })
  })
  const { signal } = new AbortController()
  const metric = meanMetric({
    name: "asked",
    signature: "asked",
    direction: "higher",
    range: [0, 1],
    measure: ({ id }) => measure(id),
  })
  try {
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
    return [...store.rows("r", "v", "asked")].map(({ sampleId }) => sampleId)
  } finally {
    store.close()
  }
}

it("measures the next answers while one of those before waits for its judge", async () => {
  let hundredth = () => {}
  const isAsked = new Promise<void>((resolve) => {
    hundredth = resolve
  })
  const scored = await score(async (id) => {
    if (id === ids[100]) hundredth()
    // The first answer's judge takes as long as it takes until somebody asks about the hundredth.
    if (id === ids[0]) await isAsked
    return 1
  })
  expect(scored).toEqual(ids)
}, 10_000)

it("keeps the rows of all answers in order, however long each takes", async () => {
  expect(
    await score(async (id) => {
      await new Promise((resolve) => setTimeout(resolve, (Number(id.slice(1)) * 7) % 20))
      return 1
    }),
  ).toEqual(ids)
})
