import { join } from "node:path"
import fc from "fast-check"
import { expect, it } from "vitest"
import { scored, unscored } from "../../src/core/metric/metric.ts"
import type { RunStore, StoredRow } from "../../src/core/run/run-store.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { loadDriver } from "../../src/store/sqlite/database.ts"
import { toStoredText } from "../../src/store/tables/stored-text.ts"
import { fakeGeneration } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"
import { onDisk } from "./backend.ts"

const row = (number: number, metric = "m", repeat = 0, value = number / 7): StoredRow => ({
  variant: "a",
  sampleId: `s${String(number).padStart(3, "0")}`,
  repeat,
  metric,
  measured: scored(value),
  value,
})
const many = (from: number, to: number, metric = "m") =>
  Array.from({ length: to - from }, (_, i) => row(from + i, metric))
const all = (store: RunStore, metric = "m") => [...store.rows("r", "a", metric)]

onDisk("keeps rows that are measured together in one text, and the others one by one", () => {
  const directory = scratchDirectory()
  const store = openRunStore(directory)
  store.saveRows("r", many(0, 40))
  store.saveRows("r", [row(50)])
  // 64 and 69 rows, cut between two samples.
  const repeated = many(100, 166).flatMap((entry) => [entry, { ...entry, repeat: 1 }])
  store.saveRows("r", [...repeated, row(170)])
  expect(all(store)).toEqual([...many(0, 40), row(50), ...repeated, row(170)])
  store.close()
  const database = new (loadDriver())(join(directory, "evalkit.db"))
  const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }
  expect([count("row_blocks").n, count("rows").n]).toEqual([3, 1])
  database.close()
})

it("gives rows back as they were, by sample and repeat, whatever was saved together", () => {
  const ids = ["s1", "s10", "s2", "ä", "日本", "a\u0000b", "a\u0001", "\ud83d\ude00", "\ud800", "s3\ufffd", "z"]
  const measured = fc.oneof(
    fc.integer().map((whole) => ({ measured: scored(whole / 7), value: whole / 7 })),
    fc
      .array(fc.nat(50), { maxLength: 5 })
      .map((list) => ({ measured: scored({ list, text: "a\n,\n" }), value: list.length / 3 })),
    fc.constant({ measured: scored([1, null]), value: null }),
    fc.constant({ measured: unscored("failed", "a\nline\u2028"), value: null }),
    fc.constant({ measured: unscored("judge_failed", "said", { votes: [1, "x"] }), value: null }),
  )
  const rowOf = fc.record({
    id: fc.oneof(
      fc.nat(60).map((n) => `n${n}`),
      fc.constantFrom(...ids),
    ),
    repeat: fc.nat(2),
    metric: fc.constantFrom("m", "n"),
    measured,
  })
  const store = scratchStore()
  let runs = 0
  fc.assert(
    fc.property(fc.array(fc.array(rowOf, { maxLength: 60 }), { maxLength: 4 }), (batches) => {
      const runId = `r${runs++}`
      const expected = new Map<string, StoredRow>()
      const key = ({ metric, sampleId, repeat }: StoredRow) => `${metric} ${sampleId} ${repeat}`
      for (const batch of batches) {
        const rows = batch.map(
          ({ id, repeat, metric, measured }): StoredRow => ({
            variant: "a",
            sampleId: id,
            repeat,
            metric,
            ...measured,
          }),
        )
        const lasts = [...new Map(rows.map((row) => [key(row), row])).values()]
        store.saveRows(runId, lasts)
        for (const row of lasts) expected.set(key(row), row)
      }
      const byPlace = (a: StoredRow, b: StoredRow) =>
        Buffer.compare(Buffer.from(toStoredText(a.sampleId)), Buffer.from(toStoredText(b.sampleId))) ||
        a.repeat - b.repeat
      for (const metric of ["m", "n"])
        expect([...store.rows(runId, "a", metric)]).toEqual(
          [...expected.values()].filter((row) => row.metric === metric).sort(byPlace),
        )
      const ids = [...new Set([...expected.values()].map(({ sampleId }) => sampleId))]
      expect(new Map(store.answerRows(runId, "a", ids).map((row) => [key(row), row]))).toEqual(expected)
      const metrics = new Set([...expected.values()].map(({ metric }) => metric))
      expect(store.scoredMetrics(runId, "a")).toEqual([...metrics].sort())
    }),
    { numRuns: 60 },
  )
})

it("puts a row in the place of one in a block, and back into its order", () => {
  const store = scratchStore()
  store.saveRows("r", many(0, 40))
  store.saveRows("r", [row(7, "m", 0, 99), row(7, "m", 1, 98)])
  // A second block over the same samples replaces both.
  const rows = all(store)
  expect(rows).toHaveLength(41)
  expect(rows.slice(6, 10).map(({ value }) => value)).toEqual([6 / 7, 99, 98, 8 / 7])
  store.saveRows(
    "r",
    many(0, 40).map((entry) => ({ ...entry, measured: scored(5), value: 5 })),
  )
  expect(all(store).map(({ value }) => value)).toEqual([...Array(8).fill(5), 98, ...Array(32).fill(5)])
})

it("forgets one answer's rows out of a block, and keeps its neighbours' newest", () => {
  const store = scratchStore()
  store.saveRows("r", [...many(0, 40), ...many(0, 40, "n")])
  store.saveRows("r", [row(8, "m", 0, 99)])
  const generation = fakeGeneration("new", { sampleId: "s007" })
  store.saveGeneration("r", generation)
  store.replaceGeneration("r", generation)
  expect(all(store).map(({ sampleId }) => sampleId)).toEqual(
    many(0, 40).flatMap(({ sampleId }) => (sampleId === "s007" ? [] : [sampleId])),
  )
  expect(all(store, "n")).toHaveLength(39)
  expect(store.answerRows("r", "a", ["s007", "s008"]).map(({ metric, value }) => [metric, value])).toEqual([
    ["m", 99],
    ["n", 8 / 7],
  ])
})

it("drops the rows of one metric, or of a run, with their blocks", () => {
  const store = scratchStore()
  store.saveGeneration("r", fakeGeneration("new", { sampleId: "s001" }))
  store.saveRows("r", [...many(0, 40), ...many(0, 40, "n")])
  store.saveRowMaker("r", "m", "another", true)
  expect(store.scoredMetrics("r", "a")).toEqual(["n"])
  store.clearRows("r")
  expect(store.scoredMetrics("r", "a")).toEqual([])
})

it.each(["a", "z", null])("drops the blocks of one run beside those of the run %s", (other) => {
  const store = scratchStore()
  store.saveRows("r", many(0, 40))
  if (other !== null) store.saveRows(other, many(0, 40))
  store.clearRows("r")
  expect(all(store)).toEqual([])
  if (other !== null) expect([...store.rows(other, "a", "m")]).toEqual(many(0, 40))
  store.saveRows("r", many(0, 40))
  expect(all(store)).toEqual(many(0, 40))
})

it("writes no blocks where several workers measure a run", () => {
  const store = scratchStore()
  store.registerWorker("r", "one", {})
  store.saveRows(
    "r",
    many(0, 40).filter((_, i) => i % 2 === 0),
  )
  store.saveRows(
    "r",
    many(0, 40).filter((_, i) => i % 2 === 1),
  )
  expect(all(store)).toEqual(many(0, 40))
})
