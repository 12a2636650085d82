import { join } from "node:path"
import { expect, it } from "vitest"
import { unscored } from "../../src/core/metric/metric.ts"
import type { StoredRow } from "../../src/core/run/run-store.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { loadDriver } from "../../src/store/sqlite/database.ts"
import { migrations } from "../../src/store/tables/migrations.ts"
import { scratchDirectory } from "../support/scratch.ts"

const place = { variant: "v", repeat: 0, metric: "m", value: null }
const read = (rows: Iterable<StoredRow>) =>
  [...rows].map(({ measured }) => measured.status === "unscored" && [measured.code, measured.reason])

it("keeps the code beside the sentence", () => {
  const store = openRunStore(scratchDirectory())
  store.saveRows("run", [
    { ...place, sampleId: "1", measured: unscored("empty_output", "the answer has no words") },
    { ...place, sampleId: "2", measured: unscored("my own words: failed") },
  ])
  const expected = [
    ["empty_output", "empty_output: the answer has no words"],
    ["custom", "my own words: failed"],
  ]
  expect(read(store.rows("run", "v", "m"))).toEqual(expected)
  expect(read(store.answerRows("run", "v", ["1"]))).toEqual(expected.slice(0, 1))
  store.close()
})

it("reads rows of a store from before there were codes", () => {
  const directory = scratchDirectory()
  // The version before the column: what an older evalkit left behind.
  const before = migrations.findIndex((step) => step.includes("ADD COLUMN code"))
  const database = new (loadDriver())(join(directory, "evalkit.db"))
  for (const step of migrations.slice(0, before)) database.exec(step)
  database.exec(`PRAGMA user_version = ${before}`)
  const reasons = [
    "failed: timeout_total",
    "not_yet: 2 repeats of the sample are not answered",
    "no_canary",
    "too dull",
  ]
  const insert =
    "INSERT INTO rows (run_id, variant, metric, sample_id, repeat, reason) VALUES ('run', 'v', 'm', ?, 0, ?)"
  for (const [i, reason] of reasons.entries()) database.prepare(insert).run(`s${i}`, reason)
  database.close()
  const store = openRunStore(directory)
  expect(read(store.rows("run", "v", "m"))).toEqual([
    ["failed", reasons[0]],
    ["not_yet", reasons[1]],
    ["no_canary", reasons[2]],
    ["custom", reasons[3]],
  ])
  store.close()
})
