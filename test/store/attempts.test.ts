import { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import type { Attempt } from "../../src/core/generation.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { exportRun } from "../../src/store/archive/export-run.ts"
import { importRun } from "../../src/store/archive/import-run.ts"
import { mergeRuns } from "../../src/store/merge.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer, fakeGeneration } from "../support/fake-provider.ts"
import { fakeRecord } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { makeRun } from "./archive/archive-support.ts"

const variant = { name: "a", model: "m", provider: "fake", quantization: null, fingerprint: "v", priceSource: null }
const recordOf = (id: string): RunRecord => fakeRecord(id, { status: "stopped", variants: [variant] })
const call = { variant: "a", sampleId: "s0", repeat: 0 }
const attempt = (tokens: number): Attempt => {
  const { log, usage } = fakeAnswer("")
  const failure = { message: "cut off" }
  return { outcome: "truncated", log, httpStatus: 200, failure, usage: { ...usage, promptTokens: tokens } }
}
const generation = (retries: readonly Attempt[]) => fakeGeneration("answer", { retries })

function storeWith(id: string) {
  const store = openRunStore(scratchDirectory())
  store.createRun(recordOf(id))
  for (const tokens of [7, 8]) store.saveAttempt(id, call, attempt(tokens))
  store.saveAttempt(id, { ...call, sampleId: "s1" }, attempt(9))
  return store
}

describe("attempts of a call that has no answer yet", () => {
  it("come back as they were, in their order, and go with the answer that names them", () => {
    const store = storeWith("r")
    expect(Array.from(store.attempts("r", call), (entry) => entry.attempt)).toEqual([attempt(7), attempt(8)])
    store.saveGeneration("r", generation([attempt(7), attempt(8)]))
    expect([...store.attempts("r")]).toEqual([{ ...call, sampleId: "s1", attempt: attempt(9) }])
    store.saveAttempt("r", call, attempt(10))
    store.replaceGeneration("r", generation([attempt(10)]))
    expect([...store.attempts("r", call)]).toEqual([])
    store.removeRun("r")
    expect([...store.attempts("r")]).toEqual([])
    store.close()
  })

  it("travel with a merge, and in an archive", async () => {
    const store = storeWith("r")
    store.createRun(recordOf("other"))
    mergeRuns(store, [recordOf("r"), recordOf("other")], "whole", "2026-01-03T00:00:00.000Z")
    expect([...store.attempts("whole")]).toEqual([...store.attempts("r")])

    const { record } = await makeRun(store, "real")
    store.saveAttempt("real", call, attempt(7))
    const lines = Array.from(exportRun(store, record), (line) => line.trimEnd())
    const target = openRunStore(scratchDirectory())
    await importRun(target, Readable.from(lines), "archive")
    expect([...target.attempts("real")]).toEqual([...store.attempts("real")])
    for (const entry of [target, store]) entry.close()
  })
})
