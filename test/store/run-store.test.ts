import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Generation } from "../../src/core/generation.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { openDatabase, openPlainDatabase } from "../../src/store/sqlite/database.ts"
import { migrations } from "../../src/store/tables/migrations.ts"
import { fakeAnswer, fakeGeneration } from "../support/fake-provider.ts"
import { fakeSample } from "../support/fake-variant.ts"
import { fakeRecord } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"
import { onDisk } from "./backend.ts"

const record = fakeRecord("run1")

const generation = (sampleId: string, position: number, overrides: Partial<Generation> = {}) =>
  fakeGeneration(`answer to ${sampleId}`, { sampleId, position, ...overrides })

describe("openRunStore", () => {
  it("gives back every generation as it was saved, in plan order whatever the order of saving", () => {
    const store = scratchStore()
    store.createRun(record)
    const late = generation("late", 7, {
      logprobs: [{ token: "x", logprob: -0.5, top: [{ token: "y", logprob: -1 }] }],
      retries: [
        {
          outcome: "http_5xx",
          log: fakeAnswer("").log,
          httpStatus: 500,
          failure: { message: "boom" },
          usage: fakeAnswer("").usage,
        },
      ],
    })
    const early = generation("early", 3)
    store.saveGeneration("run1", late)
    store.saveGeneration("run1", early)
    expect([...store.generations("run1", "a")]).toEqual([early, late])
    expect(store.generation("run1", { variant: "a", sampleId: "late", repeat: 0 })).toEqual(late)
    expect([...store.finished("run1")].map(({ sampleId }) => sampleId).sort()).toEqual(["early", "late"])
  })

  it("tells how runs stand, what was said of all of them, and which calls are finished from a position on", () => {
    const store = scratchStore()
    store.createRun(record)
    store.createRun({ ...record, id: "run2", startedAt: "2026-01-02T00:00:00.000Z", status: "finished" })
    store.setStatus("run2", "finished", "2026-01-02T01:00:00.000Z")
    expect(store.runStates()).toEqual([
      { id: "run2", status: "finished", finishedAt: "2026-01-02T01:00:00.000Z" },
      { id: "run1", status: "running", finishedAt: null },
    ])
    const at = "2026-01-01T00:00:01.000Z"
    for (const [runId, kind] of [
      ["run1", "note"],
      ["run1", "limit_changed"],
      ["run2", "tags"],
      ["run1", "tags"],
    ] as const)
      store.saveEvent(runId, { at, kind, data: { kind } })
    expect([...store.eventsOfKinds(["tags", "note"])].map(({ runId, kind, data }) => [runId, kind, data.kind])).toEqual(
      [
        ["run1", "note", "note"],
        ["run2", "tags", "tags"],
        ["run1", "tags", "tags"],
      ],
    )
    for (const [sampleId, position] of [
      ["c", 9],
      ["a", 2],
      ["b", 5],
    ] as const)
      store.saveGeneration("run1", generation(sampleId, position))
    expect([...store.finishedFrom("run1", "a", 5)]).toEqual([
      { variant: "a", sampleId: "b", repeat: 0, position: 5 },
      { variant: "a", sampleId: "c", repeat: 0, position: 9 },
    ])
    expect([...store.finishedFrom("run1", "other", 0)]).toEqual([])
  })

  it("refuses to save one call twice: nothing that was paid for is overwritten", () => {
    const store = scratchStore()
    store.createRun(record)
    store.saveGeneration("run1", generation("s", 0))
    expect(() => store.saveGeneration("run1", generation("s", 0))).toThrow()
  })

  it("streams more rows than a page holds", () => {
    const store = scratchStore()
    store.createRun(record)
    const ids = Array.from({ length: 1203 }, (_, i) => `s${i}`)
    store.saveSamples(
      "f",
      ids.map((id) => fakeSample(id)),
      0,
    )
    for (const [i, id] of ids.entries()) store.saveGeneration("run1", generation(id, i))
    store.saveRows(
      "run1",
      ids.map((sampleId, i) => ({
        variant: "a",
        metric: "m",
        sampleId,
        repeat: 0,
        value: i,
        measured: { status: "scored", row: { i } },
      })),
    )
    expect([...store.sampleIds("f")]).toEqual(ids)
    expect([...store.generations("run1", "a")].map(({ sampleId }) => sampleId)).toEqual(ids)
    expect([...store.rows("run1", "a", "m")]).toHaveLength(1203)
    expect([...store.finished("run1")]).toHaveLength(1203)
  })

  it("finds samples by their ids without reading the others", () => {
    const store = scratchStore()
    const samples = Array.from({ length: 40_000 }, (_, i) => fakeSample(`s${i}`, { input: "what? ".repeat(20) }))
    store.saveSamples("f", samples, 0)
    store.saveSamples("g", [fakeSample("s7", { input: "another" })], 0)
    expect(store.samplesOf("f", ["s39999", "s7", "none"])).toEqual([samples[39_999], samples[7]])
    expect(store.samplesOf("g", ["s7", "s8"]).map(({ input }) => input)).toEqual(["another"])
    expect(store.samplesOf("f", [])).toEqual([])
    const seconds = (work: () => void) => {
      const started = process.cpuUsage()
      work()
      return process.cpuUsage(started).user
    }
    const all = seconds(() => expect([...store.sampleIds("f")]).toHaveLength(40_000))
    const some = seconds(() => {
      for (let i = 0; i < 100; i++) store.samplesOf("f", [`s${i}`])
    })
    expect(some).toBeLessThan(5 * all)
  })

  it("keeps unscored apart from zero", () => {
    const store = scratchStore()
    store.saveRows("run1", [
      {
        variant: "a",
        metric: "m",
        sampleId: "1",
        repeat: 0,
        value: null,
        measured: { status: "unscored", code: "no_reference", reason: "no_reference" },
      },
      { variant: "a", metric: "m", sampleId: "2", repeat: 0, value: 0, measured: { status: "scored", row: 0 } },
    ])
    expect([...store.rows("run1", "a", "m")].map(({ value, measured }) => [value, measured.status])).toEqual([
      [null, "unscored"],
      [0, "scored"],
    ])
  })

  onDisk("refuses a second writer and names its process, but lets any number read", () => {
    const directory = scratchDirectory()
    const store = openRunStore(directory)
    store.createRun(record)
    expect(() => openRunStore(directory)).toThrow(`process ${process.pid}`)
    const reader = openRunStore(directory, { readonly: true })
    expect(reader.runs().map(({ id }) => id)).toEqual(["run1"])
    reader.close()
    store.close()
    openRunStore(directory).close()
  })

  onDisk("reads a store that an earlier evalkit wrote, and brings it up to date", () => {
    const directory = scratchDirectory()
    const call = { variant: "a", purpose: "judge:j", key: "k", requests: 1, costUsd: 1, asideUsd: 1, tokens: 2 }
    const old = openPlainDatabase(join(directory, "evalkit.db"), 0)
    old.exec(`${migrations[0]}; PRAGMA user_version = 1`)
    old.prepare("INSERT INTO model_calls (run_id, data) VALUES ('r', ?)").run([JSON.stringify(call)])
    old.close()
    const reader = openRunStore(directory, { readonly: true })
    expect([...reader.modelCalls("r")]).toEqual([call])
    reader.close()
    const store = openRunStore(directory)
    for (const id of ["one", "one", undefined, undefined])
      store.saveModelCall("r", { ...call, seconds: 1, at: "" }, null, id)
    expect([...store.modelCalls("r")]).toHaveLength(4)
    store.close()
  })

  onDisk("refuses a store that a newer evalkit wrote", () => {
    const directory = scratchDirectory()
    openRunStore(directory).close()
    const database = openDatabase(join(directory, "evalkit.db"))
    database.exec("PRAGMA user_version = 99")
    database.close()
    expect(() => openRunStore(directory)).toThrow(/newer/)
  })

  onDisk("says so when the file is not a store", () => {
    const directory = scratchDirectory()
    writeFileSync(join(directory, "evalkit.db"), "this is no database, it is a text of some length ".repeat(100))
    expect(() => openRunStore(directory)).toThrow(/this is no store of evalkit/)
  })

  it("keeps contents of both kinds by key", async () => {
    const store = scratchStore()
    await store.cache.set("text", { a: [1, "x"] })
    await store.cache.set("bytes", new Uint8Array(new Float32Array([1.5, -2]).buffer))
    expect(await store.cache.get("text")).toEqual({ a: [1, "x"] })
    expect(await store.cache.get("bytes")).toEqual(new Uint8Array(new Float32Array([1.5, -2]).buffer))
    expect(await store.cache.get("other")).toBeUndefined()
  })
})
