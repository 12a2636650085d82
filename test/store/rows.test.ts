import { expect, it } from "vitest"
import { scored } from "../../src/core/metric/metric.ts"
import type { RunStore, StoredRow } from "../../src/core/run/run-store.ts"
import { fakeGeneration } from "../support/fake-provider.ts"
import { scratchStore } from "../support/scratch-store.ts"

const row = (sampleId: string, metric: string, repeat = 0): StoredRow => ({
  variant: "a",
  sampleId,
  repeat,
  metric,
  measured: scored(1),
  value: 1,
})
const names = (store: RunStore, sampleId: string, repeat = 0) =>
  store.answerRows("r", "a", [sampleId]).flatMap((entry) => (entry.repeat === repeat ? [entry.metric] : []))

it("finds all metrics' rows of one answer, and no other's", () => {
  const store = scratchStore()
  store.saveRows("r", [
    row("s", "m2"),
    row("s", "m1"),
    row("s", "m3", 1),
    row("t", "m1"),
    { ...row("s", "m4"), variant: "b" },
  ])
  store.saveRows("other", [row("s", "m5")])
  expect(names(store, "s")).toEqual(["m1", "m2"])
  expect(names(store, "s", 1)).toEqual(["m3"])
  expect(names(store, "u")).toEqual([])
  expect(store.scoredMetrics("r", "a")).toEqual(["m1", "m2", "m3"])
  expect(store.scoredMetrics("r", "c")).toEqual([])
})

it("forgets the rows of an answer that is replaced, of every metric, and no other's", () => {
  const store = scratchStore()
  const generation = fakeGeneration("new", { sampleId: "s" })
  store.saveGeneration("r", generation)
  store.saveRows("r", [row("s", "m1"), row("s", "m2"), row("s", "m1", 1), row("t", "m1")])
  store.replaceGeneration("r", generation)
  expect([names(store, "s"), names(store, "s", 1), names(store, "t")]).toEqual([[], ["m1"], ["m1"]])
})
