import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, importJson, readLog, writeLines } from "./support.ts"

const folder = scratchDirectory()

/** A row as lm-eval-harness 0.4 logs it. */
function row(i: number, value: unknown, more: object = {}) {
  return {
    ...{ doc_id: i, doc: { q: `what is ${i}` }, target: String(i), filter: "none", metrics: ["exact_match"] },
    arguments: { gen_args_0: { arg_0: `Q: what is ${i}`, arg_1: { until: ["\n"] } } },
    ...{ resps: [[`it is ${i}`]], filtered_resps: [String(i)], exact_match: value },
    ...{ doc_hash: `d${i}-`.padEnd(64, "0"), prompt_hash: `p${i}`, target_hash: `t${i}` },
    ...more,
  }
}

const rows = (value: (i: number) => unknown) => Array.from({ length: 40 }, (_, i) => row(i, value(i)))

describe("samples of lm-eval", () => {
  it("pair by the hash of the document, whatever the order and the numbers", async () => {
    writeLines(
      folder,
      "a.jsonl",
      rows((i) => (i < 30 ? 1 : 0)),
    )
    const other = rows((i) => (i < 20 ? 1 : 0)).map((entry, i) => ({ ...entry, doc_id: 1000 - i }))
    writeLines(folder, "b.jsonl", other.reverse())
    const { json } = await compareJson(folder, "a.jsonl", "b.jsonl")
    expect(json.recognised).toEqual({ a: "lm-eval", b: "lm-eval" })
    expect(json.metrics.exact_match).toMatchObject({ pairs: 40, mcnemar: { b: 10, c: 0 }, difference: -0.25 })
  })

  it("are refused where the prompts differ, and paired where the documents are to be trusted", async () => {
    writeLines(
      folder,
      "c.jsonl",
      rows(() => 1).map((entry) => ({
        ...entry,
        arguments: { gen_args_0: { arg_0: `Answer: ${entry.doc_id}`, arg_1: {} } },
      })),
    )
    await expect(compareJson(folder, "a.jsonl", "c.jsonl")).rejects.toThrow(/40 of 40 samples .* different contents/)
    expect((await compareJson(folder, "a.jsonl", "c.jsonl", { pairBy: "id" })).json.metrics.exact_match.pairs).toBe(40)
  })

  it("have a metric for each filter where there are several, and one answer for each document", async () => {
    const strict = rows((i) => i % 2).map((entry) => ({ ...entry, filter: "strict-match" }))
    const loose = rows(() => 1).map((entry) => ({ ...entry, filter: "flexible-extract" }))
    const log = await readLog(writeLines(folder, "filters.jsonl", [...strict, ...loose]))
    expect(log?.records.filter(({ answer }) => answer).length).toBe(40)
    const { json } = await compareJson(folder, "filters.jsonl", "filters.jsonl")
    expect(Object.keys(json.metrics)).toEqual(["exact_match,strict-match", "exact_match,flexible-extract"])
    expect(json.metrics["exact_match,strict-match"]).toMatchObject({ pairs: 40, mean_a: 0.5 })
  })

  it("take names and directions from the results file beside them, and from names alone where there is none", async () => {
    const own = join(folder, "with-results")
    mkdirSync(own)
    const date = "2026-01-21T03-44-18.458309"
    writeLines(
      own,
      `samples_wiki_${date}.jsonl`,
      rows(() => 0.5).map(({ exact_match, ...entry }) => ({ ...entry, metrics: ["loss"], loss: exact_match })),
    )
    writeFileSync(
      join(own, `results_${date}.json`),
      JSON.stringify({
        ...{
          results: { wiki: { "loss,none": 0.5 } },
          configs: { wiki: {} },
          versions: { wiki: 1 },
          date: 1768964383.8,
        },
        ...{ higher_is_better: { wiki: { loss: false } }, model_name: "org/model" },
      }),
    )
    for (const input of [own, join(own, `samples_wiki_${date}.jsonl`), join(own, `results_${date}.json`)]) {
      const read = await readLog(input)
      expect(read?.log).toMatchObject({ dataset: "wiki", startedAt: "2026-01-21T02:59:43.800Z" })
      expect(read?.log.metrics.get("loss")).toEqual({ direction: "lower" })
      expect(read?.records[0]?.variant).toBe("org/model")
    }
    const alone = await readLog(
      writeLines(folder, "ppl.jsonl", [row(1, 1, { metrics: ["word_perplexity"], word_perplexity: 8 })]),
    )
    expect(alone?.log.metrics.get("word_perplexity")).toEqual({ direction: "lower" })
  })

  it("show the continuation that the model held most likely, and leave the parts of corpus metrics out", async () => {
    const weighed = row(1, 1, {
      arguments: { gen_args_0: { arg_0: "2 + 2 =", arg_1: " 3" }, gen_args_1: { arg_0: "2 + 2 =", arg_1: " 4" } },
      ...{
        resps: [[["-9.5", "False"]], [["-0.5", "True"]]],
        filtered_resps: [
          ["-9.5", "False"],
          ["-0.5", "True"],
        ],
      },
      ...{ metrics: ["acc", "bleu", "f1"], acc: 1, bleu: ["a", "b"], f1: null },
    })
    const [record] = (await readLog(writeLines(folder, "choices.jsonl", [weighed])))?.records ?? []
    expect(record?.answer?.text).toBe(" 4")
    expect(record?.sample.choices).toEqual([" 3", " 4"])
    expect(record?.scores).toEqual({ acc: 1, f1: { reason: "the file has no number for it" } })
  })

  it("of a chat (0.4.13) ask its messages", async () => {
    const messages = [{ role: "user", content: "Q: what is 1" }]
    const chat = { gen_args_0: { arg_0: [JSON.stringify(messages)], arg_1: { until: ["\n"] } } }
    const log = await readLog(writeLines(folder, "chat.jsonl", [row(1, 1, { arguments: chat })]))
    expect(log?.records[0]?.sample.input).toEqual(messages)
  })

  it("leave bad lines out with their place, and say so", async () => {
    writeFileSync(join(folder, "bad.jsonl"), `${JSON.stringify(row(1, 1))}\n{"doc_id": 2\n[]\n`)
    const { json } = await importJson(folder, "bad.jsonl")
    expect(json[0]).toMatchObject({ recognised: "lm-eval", samples: 1, answers: 1 })
    expect(json[0]?.skipped).toEqual([
      { where: "bad.jsonl:2", reason: "the line is not JSON" },
      { where: "bad.jsonl:3", reason: "the row is no object" },
    ])
  })

  it("are asked for where there are results only", async () => {
    const own = join(folder, "only-results")
    mkdirSync(own)
    writeFileSync(join(own, "results_x.json"), JSON.stringify({ results: {}, configs: {}, versions: {} }))
    await expect(importJson(own, "results_x.json")).rejects.toThrow(/no samples beside them.*--log_samples/)
  })

  it("of several tasks have a figure each beside that of all, and the parts of corpus figures are named as left out", async () => {
    const own = join(folder, "tasks")
    mkdirSync(own)
    const date = "2026-01-21T03-44-18.458309"
    for (const [task, value] of [
      ["arc", 1],
      ["boolq", 0],
    ] as const)
      writeLines(
        own,
        `samples_${task}_${date}.jsonl`,
        rows(() => value).map((entry) => ({ ...entry, metrics: ["exact_match", "f1"], f1: [1, 0] })),
      )
    const { json } = await compareJson(folder, own, own)
    expect(json.metrics).toMatchObject({
      exact_match: { pairs: 80, mean_a: 0.5 },
      "arc/exact_match": { pairs: 40, mean_a: 1 },
      "boolq/exact_match": { pairs: 40, mean_a: 0 },
    })
    const notes = json.notes.join("; ")
    expect(notes).toMatch(/exact_match: the mean over all samples of 2 tasks/)
    expect(notes).toMatch(/f1 is a figure over all answers.*left out/)
  })

  it("of several runs of one task in a folder are asked which, and of several tasks of several dates all are read", async () => {
    const own = join(folder, "runs")
    mkdirSync(own)
    writeLines(
      own,
      "samples_arc_2026-01-21T03-44-18.4.jsonl",
      rows(() => 1),
    )
    writeLines(
      own,
      "samples_boolq_2026-01-22T03-44-18.4.jsonl",
      rows(() => 1),
    )
    expect((await readLog(own))?.records.length).toBe(80)
    writeLines(
      own,
      "samples_arc_2026-01-23T03-44-18.4.jsonl",
      rows(() => 1),
    )
    await expect(readLog(own)).rejects.toThrow(/several runs of arc.*2026-01-21.*2026-01-23/)
  })

  it("without a score that can be read are an error, and so are results of 0.3", async () => {
    const own = join(folder, "scoreless")
    mkdirSync(own)
    const bare = rows(() => [1, 0])
    await expect(importJson(own, writeLines(own, "f1.jsonl", bare))).rejects.toThrow(/no score could be read.*left out/)
    writeFileSync(
      join(own, "old.json"),
      JSON.stringify({ results: { arc: { acc: 0.5 } }, versions: { arc: 0 }, config: { model: "hf", num_fewshot: 0 } }),
    )
    await expect(importJson(own, join(own, "old.json"))).rejects.toThrow(/no samples beside them.*0\.4 or later/)
  })

  it("read what Python writes for numbers that are none", async () => {
    const text = JSON.stringify(row(1, 0.25, { metrics: ["exact_match", "ppl"], note: "a NaN: NaN, in a text" }))
    writeFileSync(join(folder, "nan.jsonl"), `${text.slice(0, -1)},"ppl":NaN,"more":[-Infinity]}\n`)
    const [record] = (await readLog(join(folder, "nan.jsonl")))?.records ?? []
    expect(record?.scores).toEqual({ exact_match: 0.25, ppl: { reason: "the file has no number for it" } })
  })
})
