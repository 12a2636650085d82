import { randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { openRunStore } from "../../src/store/run-store.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, importJson, readLog } from "./support.ts"
import { writeZip, type ZipEntry, zstdOfZeros } from "./zip-writer.ts"

const folder = scratchDirectory()

const header = {
  version: 2,
  status: "success",
  eval: { task: "arith", model: "openai/gpt-x", created: "2026-10-01T10:00:00+02:00" },
}

/** A sample as Inspect logs it. */
function sample(id: number | string, epoch: number, value: unknown, more: object = {}) {
  return {
    ...{ id, epoch, input: `what is ${id}?`, target: "4", metadata: {}, scores: { match: { value } } },
    messages: [
      { role: "user", content: "…" },
      { role: "assistant", source: "generate", content: "4" },
    ],
    output: {
      model: "gpt-x-1",
      choices: [{ message: { role: "assistant", content: "4" }, stop_reason: "stop" }],
      time: 0.5,
    },
    model_usage: {
      "openai/gpt-x": { input_tokens: 10, output_tokens: 3, total_tokens: 33, input_tokens_cache_read: 20 },
    },
    ...more,
  }
}

const entry = (name: string, value: unknown, method: ZipEntry["method"] = "deflated"): ZipEntry => ({
  ...{ name, method },
  data: JSON.stringify(value),
})

const samples = [sample(2, 1, "C"), sample(10, 1, "I"), sample(2, 2, "P")]
const entries = (method: ZipEntry["method"]) => [
  entry("_journal/start.json", header, method),
  ...samples.map((item) => entry(`samples/${item.id}_epoch_${item.epoch}.json`, item, method)),
]

describe("logs of Inspect", () => {
  it.each(["stored", "deflated", "zstandard"] as const)("are read from entries that are %s", async (method) => {
    const path = join(folder, `${method}.eval`)
    writeZip(path, [...entries(method), entry("header.json", header, method)])
    const read = await readLog(path)
    expect(read?.log).toMatchObject({
      tool: "inspect",
      dataset: "arith",
      startedAt: "2026-10-01T08:00:00.000Z",
      notes: [],
    })
    expect(read?.records.map(({ sample: { id }, repeat, scores }) => [id, repeat, scores.match])).toEqual([
      ["2", 0, 1],
      ["2", 1, 0.5],
      ["10", 0, 0],
    ])
    const answer = read?.records[0]?.answer
    expect(answer).toMatchObject({ text: "4", source: "recorded", servedModel: "gpt-x-1", finishReason: "stop" })
    expect(answer?.usage).toMatchObject({ promptTokens: 30, completionTokens: 3, cachedPromptTokens: 20 })
    expect(answer?.log.endMs).toBe(500)
  })

  it("are read from what Zstandard's own program packed", async () => {
    const packed = Buffer.from(zstdOfRealProgram, "base64")
    const path = join(folder, "real-zstd.eval")
    const data = `${JSON.stringify(sample("z", 1, "C", { input: "again and ".repeat(300) }))}`
    writeZip(path, [
      entry("header.json", header),
      { name: "samples/z_epoch_1.json", method: "zstandard", data, packed },
    ])
    expect((await readLog(path))?.records[0]?.sample.input).toBe("again and ".repeat(300))
  })

  it("are read as far as they came where they were interrupted, and say so", async () => {
    const path = join(folder, "journal.eval")
    writeZip(path, entries("deflated"))
    const read = await readLog(path)
    expect(read?.records.length).toBe(3)
    expect(read?.log.notes).toEqual(["the log was interrupted: it holds the samples that were finished"])
  })

  it("are read as JSON, with attachments, parts of messages, tool calls, limits and errors", async () => {
    const path = join(folder, "log.json")
    const document = {
      ...{ ...header, status: "error", error: { message: "stopped" } },
      samples: [
        sample(1, 1, "C", {
          input: [{ role: "user", content: [{ type: "text", text: "attachment://h1" }] }],
          attachments: { h1: "long" },
        }),
        sample(2, 1, "I", { error: { message: "boom" }, scores: null }),
        sample(3, 1, { a: 1, b: "0.5" }, { limit: { type: "token", limit: 100 } }),
        sample(4, 1, "nonsense", {
          output: {
            choices: [
              {
                message: {
                  content: [
                    { type: "reasoning", reasoning: "hm" },
                    { type: "text", text: "so" },
                  ],
                  tool_calls: [{ id: "c1", function: "add", arguments: { a: 1 } }],
                },
                stop_reason: "max_tokens",
              },
            ],
          },
        }),
      ],
    }
    writeFileSync(path, JSON.stringify(document))
    const read = await readLog(path)
    expect(read?.log.notes).toEqual(["the log's status is error: stopped"])
    const [first, second, third, fourth] = read?.records ?? []
    expect(first?.sample.input).toEqual([{ role: "user", content: "long" }])
    expect(second).toMatchObject({ scores: {}, answer: { outcome: "application_error", failure: { message: "boom" } } })
    expect(third).toMatchObject({ scores: { "match.a": 1, "match.b": 0.5 }, answer: { outcome: "length" } })
    expect(fourth?.scores.match).toEqual({
      reason: '"nonsense" is a label, which has no mean: compare labels as outputs, with classification()',
    })
    expect(fourth?.answer).toMatchObject({
      outcome: "length",
      text: "so",
      reasoning: "hm",
      toolCalls: [{ name: "add", arguments: { a: 1 }, id: "c1" }],
    })
  })

  it("have answers that count, and none that failed, where the run was stopped after the failure of another sample", async () => {
    const error = { message: "CancelledError('Cancelled via cancel scope 7f46fa556980')" }
    const path = join(folder, "stopped.json")
    const unasked = { error, output: { choices: [] }, scores: {} }
    writeFileSync(
      path,
      JSON.stringify({
        ...header,
        status: "error",
        samples: [sample(1, 1, "C", { error }), sample(2, 1, "I", unasked)],
      }),
    )
    const [answered, cancelled] = (await readLog(path))?.records ?? []
    expect(answered).toMatchObject({ scores: { match: 1 }, answer: { outcome: "ok", failure: null } })
    expect(cancelled).toMatchObject({ scores: {}, answer: { outcome: "cancelled", failure: null } })
  })

  it("are read without a listener for each of many long entries", async () => {
    const path = join(folder, "many.eval")
    const noise = randomBytes(400_000).toString("base64")
    const long = Array.from({ length: 12 }, (_, i) => entry(`samples/${i}.json`, sample(i, 1, "C", { input: noise })))
    writeZip(path, [entry("header.json", header), ...long])
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on("warning", onWarning)
    expect((await readLog(path))?.records.at(-1)?.sample.input).toBe(noise)
    await setImmediate()
    process.off("warning", onWarning)
    expect(warnings).toEqual([])
  })

  it("are other runs where the same answers are given to other questions under the same ids", async () => {
    for (const input of ["what is 2?", "what is 3?"])
      writeZip(join(folder, `${input.slice(8, 9)}.eval`), [
        entry("header.json", header),
        entry("samples/1_epoch_1.json", sample(1, 1, "C", { input })),
      ])
    const { json } = await importJson(folder, "2.eval", "3.eval")
    expect(json.map((item) => item.is_new)).toEqual([true, true])
  })

  it("become a run that is reported and compared, once however often they are imported", async () => {
    writeZip(join(folder, "run.eval"), [...entries("deflated"), entry("header.json", header)])
    const first = await importJson(folder, "run.eval")
    expect(first).toMatchObject({
      code: 0,
      json: [{ recognised: "inspect", samples: 2, answers: 3, skipped: [], is_new: true }],
    })
    expect((await importJson(folder, "run.eval")).json[0]).toMatchObject({ run: first.json[0]?.run, is_new: false })
    const variant = `${first.json[0]?.run}:openai-gpt-x`
    const { json } = await compareJson(folder, variant, variant)
    expect(json.metrics.match).toMatchObject({ pairs: 2, difference: 0 })
    expect(json.metrics.match.mean_a).toBeCloseTo(0.5, 12)
  })
})

describe("damaged and hostile logs of Inspect", () => {
  const damaged: readonly (readonly [string, () => string, RegExp])[] = [
    ["cut off", () => "cut", /archive cannot be read/],
    ["with another checksum", () => "sum", /its checksum is another.*sum\.eval#samples/],
    ["that unpack to more than a log has", () => "bomb", /unpacked, it is longer than 6\d MB.*bomb\.eval#samples/],
    ["with an entry that is no JSON", () => "text", /not JSON: cut off, or damaged: .*text\.eval#samples/],
    ["without samples", () => "empty", /holds no samples, only the figures of 7.*--log-samples/],
    ["that ended before their first sample", () => "begun", /interrupted before its first sample.*inspect log recover/],
  ]
  writeZip(join(folder, "whole.eval"), [...entries("deflated"), entry("header.json", header)])
  writeZip(join(folder, "sum.eval"), [
    entry("header.json", header),
    { ...entry("samples/1_epoch_1.json", samples[0]), checksum: 1 },
  ])
  writeZip(join(folder, "text.eval"), [
    entry("header.json", header),
    { name: "samples/1_epoch_1.json", data: '{"id": 1' },
  ])
  writeZip(join(folder, "begun.eval"), [entry("_journal/start.json", { ...header, status: "started" })])
  writeZip(join(folder, "empty.eval"), [entry("header.json", { ...header, results: { total_samples: 7 } })])

  it.each(damaged)("%s end with a message, and nothing of them is kept", async (_, name, message) => {
    const file = `${name()}.eval`
    if (file === "cut.eval")
      writeFileSync(join(folder, file), readFileSync(join(folder, "whole.eval")).subarray(0, 700))
    if (file === "bomb.eval")
      writeZip(join(folder, file), [
        entry("header.json", header),
        { name: "samples/1_epoch_1.json", method: "zstandard", data: "{}", packed: zstdOfZeros(257 * 2 ** 20) },
      ])
    const own = scratchDirectory()
    await expect(importJson(own, join(folder, file))).rejects.toThrow(message)
    const store = openRunStore(join(own, ".evalkit"))
    expect(store.runs()).toEqual([])
    store.close()
  })

  it("are refused where a name leads out of the archive", async () => {
    writeZip(join(folder, "out.eval"), [
      entry("header.json", header),
      entry("samples/../../../x.json", sample(1, 1, "C")),
    ])
    await expect(importJson(folder, "out.eval")).rejects.toThrow(/archive cannot be read: invalid relative path/)
  })

  it("neither write where an id leads nor change what all objects have", async () => {
    const path = join(folder, "names.eval")
    const hostile = JSON.parse('{"__proto__": {"value": "C"}, "constructor": {"value": "I"}}')
    writeZip(path, [
      entry("header.json", header),
      entry("samples/1_epoch_1.json", sample("../../x", 1, "C", { scores: hostile })),
      entry("samples/2_epoch_1.json", sample(2, 1e9, "C")),
    ])
    const { json } = await importJson(folder, path)
    expect(json[0]).toMatchObject({ samples: 1, answers: 1, skipped: [{ reason: "expected a whole number from 1" }] })
    expect(({} as { value?: string }).value).toBeUndefined()
  })
})

/** `zstd -19` of the sample that the test names. */
const zstdOfRealProgram =
  "KLUv/QRoPQgABlAwIqApHf//46o6umfVf8u7ENn9bhMnt0SzmrtD/1v51kACgE8kACYAJgDXVkZ7G8cfnu9tmPbxAGYpYClt9Pl20FJHQt5JDO3xkOcZ9Sjvksjk+V7bi9PxbJt7mD1SNNrae088v+5Rh5NaG4/ybRmndnxRBhB3O+aTYocQeAQaepbhdlA7Pi7eD9vKdm3z/CbmuB3fS7up1hQD7z2lkGfWSZoWNDza3EeDQsi3tQzuZaB0LcRuwYcQKPltqM4vbrpsCRogECRnpXMJQck9mNrYxoHVmvcziUGA/2suCI4bf3VB1FbGsdr+fpRYgSGvKBBBEF0p7rjD1XoUUxAJkUoE5aur78halAu3"
