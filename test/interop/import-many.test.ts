import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { command } from "../../src/cli/commands/import.ts"
import { standardInput } from "../../src/cli/files/lone-dash.ts"
import { fakeIo } from "../support/fake-io.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { folderLogWriters } from "./folder-log-writers.ts"
import { type LogWriter, logWriters, type TrueSample } from "./log-writers.ts"
import { compareJson, importJson, readLog, writeLines } from "./support.ts"
import { writeZip } from "./zip-writer.ts"

const samples = (count: number, score: 0 | 1 = 1): readonly TrueSample[] =>
  Array.from({ length: count }, (_, id) => ({ id, answers: [score] }))
const writers: Readonly<Record<string, LogWriter>> = { ...logWriters, ...folderLogWriters }
const written = (tool: string, folder: string, list = samples(12)) => writers[tool]?.write(folder, list) ?? ""

it("a bad file among many does not end the import: a table says what was read and what was refused, and the exit code is 5", async () => {
  const folder = scratchDirectory()
  const good = [written("deepeval", join(folder, "a")), written("tau-bench", join(folder, "b"))]
  writeFileSync(join(folder, "bad.json"), "{")
  const io = fakeIo({ cwd: folder })
  const code = await command.run({ files: [good[0], "bad.json", good[1]] }, io)
  expect(code).toBe(5)
  expect(io.stdout()).toMatch(/3 files: 2 read, 1 refused\n {2}read .*run \w+\n {2}refused {2}bad\.json: .*\n {2}read /)
  const { json } = await importJson(folder, "bad.json", good[0] as string)
  expect(json).toMatchObject([
    { recognised: null, run: null },
    { recognised: "deepeval", is_new: false },
  ])
  expect(await command.run({ files: ["bad.json", "bad.json"] }, fakeIo({ cwd: folder }))).toBe(2)
})

it("notes of how a log was read stand in an import as in a comparison", async () => {
  const folder = scratchDirectory()
  const io = fakeIo({ cwd: folder })
  await command.run({ files: [written("ragas", folder)] }, io)
  expect(io.stdout()).toMatch(/the file names no model/)
})

it("a folder of logs is imported log by log, and compared where it holds one", async () => {
  const folder = scratchDirectory()
  const [first, second] = [
    written("inspect", join(folder, "logs/a")),
    written("inspect", join(folder, "logs/b"), samples(9)),
  ]
  writeFileSync(join(folder, "logs/eval-set.json"), "{}")
  const { code, json } = await importJson(folder, "logs")
  expect({ code, tools: json.map(({ recognised, samples }) => [recognised, samples]) }).toEqual({
    code: 0,
    tools: [
      ["inspect", 12],
      ["inspect", 9],
    ],
  })
  await expect(compareJson(folder, "logs", first)).rejects.toThrow(
    /holds 2 logs.*logs\/a\/log\.json, logs\/b\/log\.json/,
  )
  const lone = await compareJson(folder, "logs/a", second)
  expect(lone.json.metrics.match).toMatchObject({ pairs: 9, difference: 0 })
  expect(lone.json.notes.join()).toMatch(/9 in both, 3 in .* only/)
})

it("packed logs and what is piped in are read as they are unpacked", async () => {
  const folder = scratchDirectory()
  const bytes = readFileSync(written("lm-eval", folder))
  writeFileSync(join(folder, "a.jsonl.gz"), gzipSync(bytes))
  mkdirSync(join(folder, "helm"))
  writeZip(join(folder, "a.zip"), [{ name: "logs/a.jsonl", data: bytes }])
  writeZip(join(folder, "z.zip"), [{ name: "a.jsonl", data: bytes, method: "zstandard" }])
  for (const name of ["a.jsonl.gz", "a.zip", "z.zip"])
    expect((await readLog(join(folder, name)))?.records.length, name).toBe(12)
  const { json } = await compareJson(folder, "a.jsonl.gz", "a.zip")
  expect(json.metrics.exact_match).toMatchObject({ pairs: 12, difference: 0 })
  const io = { ...fakeIo({ cwd: folder }), input: () => Readable.from([bytes]) }
  expect(await command.run({ files: [standardInput] }, io)).toBe(0)
  expect(io.stdout()).toMatch(/a log of lm-eval, 12 samples/)
  await expect(command.run({ files: [standardInput] }, fakeIo({ cwd: folder }))).rejects.toThrow(/nothing is piped/)
  const plain = writeLines(folder, "rows.jsonl", [
    { id: 1, score: 1 },
    { id: 2, score: 0 },
  ])
  writeFileSync(`${plain}.gz`, gzipSync(readFileSync(plain)))
  expect((await compareJson(folder, `${plain}.gz`, plain)).json.metrics.score).toMatchObject({ pairs: 2 })
})

it("a log compared with itself, and one with nothing in common, say so", async () => {
  const folder = scratchDirectory()
  const log = written("inspect", folder)
  expect((await compareJson(folder, log, log)).json.notes.join()).toMatch(/the same file on both sides/)
  const other = written(
    "inspect",
    join(folder, "other"),
    samples(12).map(({ id, answers }) => ({ id: id + 100, answers })),
  )
  expect((await compareJson(folder, log, other)).json.notes.join()).toMatch(
    /no sample is in both, by id or by question: .* has 12 samples \("0", "1" …\), 12 with a question; .* has 12 samples \("100"/,
  )
})

it("what failed on one side counts there, on both sides on both, and what has no score is unscored", async () => {
  const folder = scratchDirectory()
  const half = (score: 0 | 1): readonly TrueSample[] =>
    samples(40, score).map(({ id, answers }) => ({ id, answers: id % 2 ? ["failed"] : answers }))
  const all = ["inspect", "promptfoo", "openai-evals", "tau-bench", "swe-bench", "langsmith", "mlflow 3", "helm"]
  for (const tool of all) {
    const metric = writers[tool]?.metric ?? ""
    const [whole, a, b] = [samples(40), half(1), half(1)].map((list, i) =>
      written(tool, join(folder, tool, String(i)), list),
    )
    const first = await compareJson(folder, whole as string, a as string)
    expect(first, tool).toMatchObject({
      code: 3,
      json: { metrics: { [metric]: { mean_b: 0.5, missing: { failed_b: 20 } } } },
    })
    const second = await compareJson(folder, a as string, b as string)
    expect(second.json.metrics[metric], tool).toMatchObject({
      pairs: 40,
      mean_a: 0.5,
      mean_b: 0.5,
      missing: { failed_both: 20 },
    })
    expect(second.json.sentence, tool).toMatch(/20 of 40 answers failed on both sides and count as wrong/)
    // Imported, the failures are failures all the same.
    const { json } = await importJson(folder, whole as string, a as string)
    const stored = await compareJson(folder, ...(json.map(({ run }) => run) as [string, string]))
    expect(stored.json.metrics[metric], tool).toMatchObject({ pairs: 40, mean_a: 1, mean_b: 0.5 })
  }
})

it("a failure counts in a metric that only some samples have, alike in files, in runs and within a run", async () => {
  const folder = scratchDirectory()
  const rows = (model: string, failed: (id: number) => boolean) =>
    samples(40).map(({ id }) => ({
      ...{ id: String(id), span_id: String(id), root_span_id: String(id), metadata: { model } },
      ...{ input: `What is ${id}?`, output: "it is" },
      ...(failed(id) ? { error: "HTTP 500", scores: null } : { scores: { all: 1, ...(id % 2 === 0 && { some: 1 }) } }),
    }))
  const [a, b] = [rows("m", () => false), rows("n", (id) => id % 4 === 0)]
  for (const [name, list] of [["a", a] as const, ["b", b] as const, ["both", [...a, ...b]] as const])
    writeLines(folder, `${name}.jsonl`, list)
  const { json } = await importJson(folder, "a.jsonl", "b.jsonl", "both.jsonl")
  const [runA, runB, both] = json.map(({ run }) => run)
  for (const [first, second] of [
    ["a.jsonl", "b.jsonl"],
    ["both.jsonl:m", "both.jsonl:n"],
    [`${runA}:m`, `${runB}:n`],
    [`${both}:m`, `${both}:n`],
  ] as const) {
    const { metrics } = (await compareJson(folder, first, second, { on: ["all", "some"] })).json
    expect(metrics.some, first).toMatchObject({ pairs: 20, mean_a: 1, mean_b: 0.5, missing: { failed_b: 10 } })
    expect(metrics.all, first).toMatchObject({ pairs: 40, mean_a: 1, mean_b: 0.75, missing: { failed_b: 10 } })
  }
})

it("a log whose every sample failed has failed each metric of the other, and says so where neither has one", async () => {
  const folder = scratchDirectory()
  const failed: readonly TrueSample[] = samples(12).map(({ id }) => ({ id, answers: ["failed"] }))
  for (const tool of ["inspect", "langsmith", "braintrust", "phoenix"]) {
    const metric = writers[tool]?.metric ?? ""
    const [whole, none] = [samples(12), failed].map((list, i) => written(tool, join(folder, tool, String(i)), list))
    for (const on of [[], [metric]]) {
      const { code, json } = await compareJson(folder, whole as string, none as string, { on })
      expect({ code, missing: json.metrics[metric].missing }, tool).toMatchObject({
        code: 4,
        missing: { failed_b: 12 },
      })
      expect(json.sentence, tool).toMatch(/all 12 answers of the candidate failed/)
    }
    const other = written(tool, join(folder, tool, "2"), failed)
    await expect(compareJson(folder, none as string, other), tool).rejects.toThrow(
      /all 12 answers failed.*all 12 answers failed/,
    )
    const io = fakeIo({ cwd: folder })
    expect(await command.run({ files: [none as string] }, io)).toBe(0)
    expect(io.stdout(), tool).toMatch(/; all 12 answers failed\n/)
  }
})

it("a sample that its tool stopped says nothing of the model", async () => {
  const folder = scratchDirectory()
  const [whole, stopped] = [written("inspect", join(folder, "a")), written("inspect", join(folder, "b"))]
  const log = JSON.parse(readFileSync(stopped, "utf8"))
  for (const sample of log.samples.slice(8)) {
    Object.assign(sample, { error: { message: "CancelledError('Cancelled via cancel scope')" }, scores: {} })
    sample.output.choices = []
  }
  writeFileSync(stopped, JSON.stringify(log))
  const { json: imported } = await importJson(folder, whole, stopped)
  for (const sides of [[whole, stopped] as const, imported.map(({ run }) => run) as [string, string]]) {
    const { json } = await compareJson(folder, ...sides)
    expect(json.metrics.match).toMatchObject({ pairs: 8, mean_b: 1, missing: { only_a: 4, failed_b: 0 } })
  }
})

it("a log whose scores are words says so, imported and compared; one that names scorers and has no score is refused", async () => {
  const folder = scratchDirectory()
  const changed = (name: string, change: (sample: { scores: unknown }) => void) => {
    const path = written("inspect", join(folder, name))
    const log = JSON.parse(readFileSync(path, "utf8"))
    for (const sample of log.samples) change(sample)
    writeFileSync(path, JSON.stringify(log))
    return path
  }
  const words = changed("words", (sample) => (sample.scores = { match: { value: "GREAT" } }))
  const io = fakeIo({ cwd: folder })
  expect(await command.run({ files: [words] }, io)).toBe(0)
  expect(io.stdout()).toMatch(/match: no answer has a score: "GREAT" is a label, which has no mean/)
  const { json } = await compareJson(folder, words, written("inspect", join(folder, "numbers")))
  expect(json.notes.join()).toMatch(/match: no answer of .*words.* has a score: "GREAT" is a label/)
  const none = changed("none", (sample) => (sample.scores = null))
  await expect(importJson(folder, none)).rejects.toThrow(/no score could be read, though/)
})

it("a broken log in a folder is refused by name, and the others are read", async () => {
  const folder = scratchDirectory()
  written("inspect", join(folder, "logs/a"))
  writeFileSync(
    join(folder, "logs/cut.json"),
    '{"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [',
  )
  writeFileSync(join(folder, "logs/notes.json"), '{"notes": 1')
  const io = fakeIo({ cwd: folder })
  expect(await command.run({ files: ["logs"] }, io)).toBe(5)
  expect(io.stdout()).toMatch(/2 files: 1 read, 1 refused\n.*\n {2}refused {2}logs\/cut\.json: .*not JSON/)
})
