import { join } from "node:path"
import { expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import type { RunRecord } from "../../../src/core/run/run-record.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { shardFilter } from "../../../src/run/plan.ts"
import { exportRun } from "../../../src/store/archive/export-run.ts"
import { importRun } from "../../../src/store/archive/import-run.ts"
import { mergeRuns } from "../../../src/store/merge.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { loadDriver } from "../../../src/store/sqlite/database.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const samples = 2000
const evaluation = await validateConfig({
  dataset: inline(
    Array.from({ length: samples }, (_, i) => ({ id: `s${i}`, input: `${i}`, reference: i % 3 ? "x" : "y" })),
  ),
  variants: ["a", "b"].map((name) => ({ name, provider: fakeProvider(name, () => fakeAnswer("x")) })),
  metrics: [exactMatch()],
})

const make = async (store: RunStore, id: string, shard?: { index: number; count: number }): Promise<RunRecord> => {
  const { record } = await runEvaluation({ evaluation, store, id, ...(shard && { wanted: shardFilter(shard) }) })
  return record
}

const rowsOf = (store: RunStore, id: string) => ["a", "b"].flatMap((name) => [...store.rows(id, name, "exactMatch")])

/** Rows of a run that lie in no block. */
function singlesOf(folder: string, id: string): number {
  const database = new (loadDriver())(join(folder, "evalkit.db"))
  const { n } = database.prepare(`SELECT count(*) AS n FROM rows WHERE run_id = '${id}'`).get() as { n: number }
  database.close()
  return n
}

it("an archive's rows lie in blocks, as those of the run that it was made from", async () => {
  const [from, to] = [scratchDirectory(), scratchDirectory()]
  const store = openRunStore(from)
  const record = await make(store, "run")
  const lines = [...exportRun(store, record)].map((line) => line.slice(0, -1))
  const other = openRunStore(to)
  await importRun(
    other,
    (async function* () {
      yield* lines
    })(),
    "archive.jsonl",
  )
  expect(rowsOf(other, "run")).toEqual(rowsOf(store, "run"))
  expect(rowsOf(other, "run")).toHaveLength(2 * samples)
  for (const entry of [store, other]) entry.close()
  expect(singlesOf(to, "run")).toBe(0)
})

it("of runs that are joined, too, where both parts have rows between each other's", async () => {
  const folder = scratchDirectory()
  const store = openRunStore(folder)
  const parts = [await make(store, "one", { index: 0, count: 2 }), await make(store, "two", { index: 1, count: 2 })]
  mergeRuns(store, parts, "both", "2026-01-02T00:00:00.000Z")
  const byPlace = ({ variant, sampleId }: { variant: string; sampleId: string }) => `${variant} ${sampleId}`
  const expected = [...rowsOf(store, "one"), ...rowsOf(store, "two")].map(byPlace).sort()
  expect(rowsOf(store, "both").map(byPlace).sort()).toEqual(expected)
  store.close()
  expect(singlesOf(folder, "both")).toBe(0)
})
