import { expect, it } from "vitest"
import { unscored } from "../../src/core/metric/metric.ts"
import type { StoredRow } from "../../src/core/run/run-store.ts"
import { scratchStore } from "../support/scratch-store.ts"

const location = { variant: "v", repeat: 0, metric: "m", value: null }
const read = (rows: Iterable<StoredRow>) =>
  [...rows].map(({ measured }) => measured.status === "unscored" && [measured.code, measured.reason])

it("keeps the code beside the sentence", () => {
  const store = scratchStore()
  store.saveRows("run", [
    { ...location, sampleId: "1", measured: unscored("empty_output", "the answer has no words") },
    { ...location, sampleId: "2", measured: unscored("my own words: failed") },
  ])
  const expected = [
    ["empty_output", "empty_output: the answer has no words"],
    ["custom", "my own words: failed"],
  ]
  expect(read(store.rows("run", "v", "m"))).toEqual(expected)
  expect(read(store.answerRows("run", "v", ["1"]))).toEqual(expected.slice(0, 1))
})
