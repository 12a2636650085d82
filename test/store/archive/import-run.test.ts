import { describe, expect, it } from "vitest"
import { exportRun } from "../../../src/store/archive/export-run.ts"
import { importRun } from "../../../src/store/archive/import-run.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { arriving, makeRun, sealed, wholeArchive } from "./archive-support.ts"

const archive = await wholeArchive()
const content = archive.slice(0, -1)
const freshStore = () => openRunStore(scratchDirectory())
const bring = (store: ReturnType<typeof freshStore>, lines: readonly string[]) =>
  importRun(store, arriving(lines), "a.jsonl")
const find = (kind: string) => content.findIndex((line) => line.startsWith(`{"kind":"${kind}"`))
const changed = (kind: string, change: (line: string) => string) =>
  sealed(content.map((line, i) => (i === find(kind) ? change(line) : line)))

describe("importRun", () => {
  it("brings a run to another store without a difference: answers, calls of judges, codes, labels", async () => {
    const store = freshStore()
    const { record, isNew } = await bring(store, archive)
    expect(isNew).toBe(true)
    expect([...exportRun(store, store.run(record.id)!)].map((line) => line.slice(0, -1))).toEqual(archive)
    expect([...store.modelCalls(record.id)]).toEqual([expect.objectContaining({ requests: 2, costUsd: 0.5 })])
    const metric = record.metrics[0]?.name ?? ""
    expect([...store.rows(record.id, "a", metric)][1]?.measured).toMatchObject({ code: "judge_failed" })
    store.close()
  })

  it("leaves nothing of an archive that was cut off, wherever, and takes the whole one afterwards", async () => {
    const store = freshStore()
    for (let kept = 1; kept < archive.length; kept++)
      await expect(bring(store, archive.slice(0, kept))).rejects.toThrow(
        /its end is missing: it was cut off: a\.jsonl:\d+/,
      )
    expect(store.runs()).toEqual([])
    const { dataset } = JSON.parse(archive[0] as string).record
    expect([...store.sampleIds(dataset.fingerprint)]).toEqual([])
    expect([...store.generations("run1", "a")]).toEqual([])
    expect((await bring(store, archive)).isNew).toBe(true)
    store.close()
  })

  it("refuses lines that were changed, left out or added after they were written", async () => {
    const store = freshStore()
    const edited = archive.map((line) => line.replace("a note", "a lie"))
    await expect(bring(store, edited)).rejects.toThrow(/sha256: the lines were changed/)
    await expect(bring(store, archive.toSpliced(find("event"), 1))).rejects.toThrow(
      /lines: \d+ lines came before the end/,
    )
    await expect(bring(store, [...archive, content[1] as string])).rejects.toThrow(/lines follow its end/)
    expect(store.runs()).toEqual([])
    store.close()
  })

  it("says that a run is there already, and refuses another one with its id", async () => {
    const store = freshStore()
    await bring(store, archive)
    expect(await bring(store, archive)).toMatchObject({ isNew: false })
    const other = changed("variant", (line) => line.replace("a note", "another note"))
    await expect(bring(store, other)).rejects.toMatchObject({
      code: "run_exists",
      hint: expect.stringContaining("evalkit rm run1"),
    })
    expect(store.variantState("run1", "a")?.notes).toEqual(["a note"])
    store.close()
  })

  it("refuses samples that are not those of the data set's fingerprint, so that a later run reads its own", async () => {
    const store = freshStore()
    const poisoned = sealed(content.map((line) => line.replace('"references":["x"]', '"references":["z"]')))
    await expect(bring(store, poisoned)).rejects.toThrow(/not those of the run's data set/)
    const { report } = await makeRun(store, "own")
    expect(report.variants[0]?.quality[0]?.figure).toMatchObject({ value: 0.5, n: 6 })
    store.close()
  })

  it("never lets other samples stand under a fingerprint that the store has", async () => {
    const store = freshStore()
    await makeRun(store, "own")
    const copies = sealed(
      content.map((line) =>
        line.startsWith('{"kind":"sample"')
          ? line.replace('"id"', '"copyOf":{"id":"q","kind":"perturbed","change":"typos"},"id"')
          : line,
      ),
    )
    await expect(bring(store, copies)).rejects.toMatchObject({ code: "samples_differ" })
    store.close()
  })

  it.each([
    ["an id that leads out of the store", "run", '"id":"run1"', '"id":"../../run1"', /record\.id: expected letters/],
    ["an id that a terminal obeys", "run", '"id":"run1"', '"id":"\\u001b[2Jrun1"', /record\.id/],
    ["a status that does not exist", "run", '"status":"finished"', '"status":"done"', /record\.status/],
    ["an endless number of repeats", "run", '"repeats":1', '"repeats":1e15', /record\.repeats/],
    ["a sample without an id", "sample", '"id":"s0",', "", /sample\.id/],
    ["an outcome that does not exist", "generation", '"outcome":"ok"', '"outcome":"fine"', /generation\.outcome/],
    [
      "an answer of nobody",
      "generation",
      '"variant":"a"',
      '"variant":"b"',
      /generation\.variant: the run has no variant "b"/,
    ],
    [
      "an answer to nothing",
      "generation",
      /"sampleId":"[^"]*"/,
      '"sampleId":"t"',
      /generation\.sampleId: the archive has no/,
    ],
    ["an infinite stamp", "generation", '"endMs":', '"endMs":1e999,"was":', /generation\.log\.endMs/],
    ["a score that is a text", "row", '"value":0', '"value":"0"', /row\.value/],
    ["an event at no time", "event", /"at":"[^"]*"/, '"at":"now"', /event\.at/],
    ["a report of another run", "report", '"id":"run1"', '"id":"run2"', /report\.run\.id/],
    ["a kind that objects inherit", "event", '"kind":"event"', '"kind":"constructor"', /kind of the line is unknown/],
    ["a format that is not known", "run", '"format":2', '"format":3', /format is of another version/],
  ] as const)("refuses %s with file, line and field", async (_what, kind, from, to, message) => {
    const store = freshStore()
    const error = await bring(
      store,
      changed(kind, (line) => line.replace(from, to)),
    ).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: "not_an_archive", where: `a.jsonl:${find(kind) + 1}` })
    expect((error as Error).message).toMatch(message)
    expect(store.runs()).toEqual([])
    store.close()
  })

  it("refuses what is no archive at all", async () => {
    const store = freshStore()
    await expect(bring(store, [])).rejects.toThrow(/it is empty: a\.jsonl/)
    await expect(bring(store, ["{"])).rejects.toThrow(/not JSON: a\.jsonl:1/)
    await expect(bring(store, [content[1] as string])).rejects.toThrow(/the first line is not a run/)
    await expect(bring(store, [content[0] as string, ...archive])).rejects.toThrow(/a second run begins/)
    store.close()
  })
})
