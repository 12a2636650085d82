import { expect, it } from "vitest"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 4 })
const table = { columns: [{ title: "a" }], rows: [[1]] }
const older = (kind: string, data: unknown) => ({ kind, title: kind, sentences: [], data }) as unknown as ReportSection

/** The kinds and topics of sections after they were stored and read. */
function read(sections: readonly ReportSection[]) {
  const store = openRunStore(scratchDirectory())
  store.saveReport("run", { ...report, sections })
  const result = store.report("run")?.sections.map(({ kind, topic }) => [kind, topic])
  store.close()
  return result
}

it("keeps the sections of today as they are", () => {
  const store = scratchStore()
  store.saveReport("run", report)
  expect(store.report("run")).toEqual(JSON.parse(JSON.stringify(report)))
})

it("reads sections of kinds that older versions left to users as a table or as JSON", () => {
  expect(read([older("my_table", table), older("my_data", { words: 3 }), older("my_table", null)])).toEqual([
    ["table", "my_table"],
    ["json", "my_data"],
    ["json", "my_table"],
  ])
})

it("shows data that is not what its kind says as what it is", () => {
  expect(read([older("calibration", { bins: 3 }), older("safety", [1]), older("constructor", table)])).toEqual([
    ["json", "calibration"],
    ["json", "safety"],
    ["table", "constructor"],
  ])
})
