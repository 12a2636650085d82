import { afterEach, describe, expect, it } from "vitest"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import { exportRun } from "../../../src/store/archive/export-run.ts"
import { importRun } from "../../../src/store/archive/import-run.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { batchServices, runBatched } from "../../support/batch-world.ts"
import type { BatchMock } from "../../support/mocks/batches/desk.ts"
import { schemaErrors } from "../../support/report-schema.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { scratchStore } from "../../support/scratch-store.ts"

let mock: BatchMock
let store: RunStore
afterEach(async () => {
  store.close()
  await mock.close()
})

describe("the report of a run by batch", () => {
  it("leaves requests that no model came to out of the comparison, and says how to ask them again", async () => {
    mock = await batchServices.openai.start({
      fate: ({ body, id }) => (body.model === "late" && Number(id.split("-")[1]) < 5 ? "expired" : "ok"),
    })
    store = openRunStore(scratchDirectory())
    const at = (model: string) => batchServices.openai.provider(mock, model)
    const { report, record } = await runBatched(store, { a: at("model-a"), b: at("late") }, { samples: 30 })
    expect(report.variants[1]?.outcomes).toEqual({ ok: 25, batch_expired: 5 })
    expect(report.comparisons[0]?.metrics[0]).toMatchObject({ n: 30, pairs: 25, difference: 0 })
    const section = report.sections.find(({ title }) => title === "Batches")
    expect(section?.sentences).toContain(
      "Requests of b without an answer: 5 batch_expired. They say nothing about it and are left out of comparisons; ask them again with evalkit run --resume.",
    )
    expect(section?.sentences[0]).toBe(
      "30 of 30 answers of a came by batch or tried the endpoint before it, and were not timed: its speed is not known.",
    )
    expect(section?.data).toMatchObject({
      rows: [
        ["a", "batch_1", 29, 0, "completed"],
        ["b", "batch_2", 29],
      ].map(row),
    })
    expect(schemaErrors(report)).toEqual([])
    const text = renderTerminal(report, { color: false, columns: 120, unicode: true }, { next: [] })
    expect(text).toContain("speed of 60 answers not measured (batch)")

    const copy = scratchStore()
    async function* lines() {
      for (const line of exportRun(store, record)) yield line.trimEnd()
    }
    await importRun(copy, lines(), "run.jsonl")
    expect(copy.report(record.id)?.sections).toEqual(report.sections)
    expect([...copy.generations(record.id, "a")].filter(({ source }) => source === "batch")).toHaveLength(29)
  })
})

const row = (cells: readonly (string | number)[]) => expect.arrayContaining([...cells])
