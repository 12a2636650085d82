import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parquetWriteFile } from "hyparquet-writer"
import { describe, expect, it } from "vitest"
import { rowReaders } from "../../src/cli/files/row-readers.ts"
import { isRecord } from "../../src/core/foreign/foreign-log.ts"
import { openForeignLog } from "../../src/interop/recognise.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, importJson, writeLines } from "./support.ts"

const folder = scratchDirectory()

async function read(path: string) {
  const log = await openForeignLog(path, path, rowReaders)
  const all = []
  for await (const record of log?.records() ?? []) all.push(record)
  return { log, records: all.filter(isRecord), skipped: all.filter((entry) => !isRecord(entry)) }
}

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

function parquet(name: string, columns: Readonly<Record<string, readonly unknown[]>>): string {
  const columnData = Object.entries(columns).map(([column, data]) => ({
    name: column,
    data: [...data],
    type: "JSON" as const,
  }))
  parquetWriteFile({ filename: join(folder, name), columnData })
  return join(folder, name)
}

describe("details of lighteval", () => {
  const today = (ids: readonly number[]) => ({
    doc: ids.map((i) => ({ query: `q${i}`, choices: [" a", " b"], gold_index: 1 })),
    metric: ids.map((i) => ({ acc: i % 2, corpus: [1, 2], none: null })),
    model_response: ids.map((i) => ({ text: [i % 2 ? " b" : " a"] })),
  })

  it("are read in the shape of today and before", async () => {
    const { log, records } = await read(parquet("details_arc_2025-11-02T10-11-12.5.parquet", today([1, 2])))
    expect(log).toMatchObject({ tool: "lighteval", dataset: "arc", startedAt: "2025-11-02T10:11:12.500Z" })
    expect(records[0]).toMatchObject({
      sample: { input: "q1", choices: [" a", " b"], references: [" b"] },
      answer: { text: "b" },
      scores: { acc: 1, none: { reason: expect.any(String) } },
    })
    expect(Object.keys(records[0]?.scores ?? {})).not.toContain("corpus")
    const old = parquet("old.parquet", {
      ...{ full_prompt: ["q1"], predictions: [["b"]], gold: [["b"]], choices: [["a", "b"]], metrics: [{ acc: 1 }] },
    })
    expect((await read(old)).records[0]).toMatchObject({
      sample: { input: "q1", references: ["b"] },
      scores: { acc: 1 },
    })
  })

  it("are found in the folder that it writes, with their model, beside results that are not lm-eval's", async () => {
    const root = scratchDirectory()
    const date = "2025-11-02T10-11-12.5"
    for (const at of ["details/org/m/".concat(date), "results/org/m"])
      mkdirSync(join(root, "out", at), { recursive: true })
    const name = `details_sums|0_${date}.parquet`
    renameSync(parquet(name, today([1, 2])), join(root, "out/details/org/m", date, name))
    writeFileSync(
      join(root, `out/results/org/m/results_${date}.json`),
      '{"config_general":{},"results":{},"versions":{}}',
    )
    const { code, json } = await importJson(root, "out")
    expect({ code, json }).toMatchObject({ code: 0, json: [{ recognised: "lighteval", samples: 2 }] })
    expect((await read(join(root, "out"))).records[0]?.variant).toBe("org/m")
  })

  it("become a verdict in one command, in whatever order their rows are", async () => {
    const ids = Array.from({ length: 40 }, (_, i) => i)
    const [a, b] = [parquet("a.parquet", today(ids)), parquet("b.parquet", today(ids.toReversed()))]
    const { json } = await compareJson(folder, a, b)
    expect(json.recognised).toEqual({ a: "lighteval", b: "lighteval" })
    expect(json.metrics.acc).toMatchObject({ pairs: 40, difference: 0 })
  })

  it("that are cut off are refused, and other Parquet files are rows as before", async () => {
    const own = scratchDirectory()
    writeFileSync(join(own, "cut.parquet"), Buffer.concat([Buffer.from("PAR1"), Buffer.alloc(40)]))
    await expect(importJson(own, "cut.parquet")).rejects.toThrow(/Parquet file cannot be read/)
    expect((await read(parquet("plain.parquet", { id: ["1"], output: ["x"] }))).log).toBeNull()
  })
})

describe("results of DeepEval", () => {
  it("are read from a test run and from the results of evaluate()", async () => {
    const run = {
      testFile: "test_shop.py",
      testCases: [
        {
          ...{ name: "t", input: "Why?", actualOutput: "Because.", expectedOutput: "Because", retrievalContext: ["p"] },
          metricsData: [
            { name: "Answer Relevancy", score: 0.8, success: true },
            { name: "Faithfulness", score: null, error: "no key" },
          ],
          completionTime: 0.5,
        },
        { actualOutput: "no input", metricsData: [] },
      ],
      hyperparameters: { model: "m-1" },
    }
    const { log, records, skipped } = await read(write("run.json", JSON.stringify(run, null, 2)))
    expect(log).toMatchObject({ tool: "deepeval", dataset: "test_shop.py" })
    expect(records).toMatchObject([
      {
        ...{ variant: "m-1", sample: { input: "Why?", references: ["Because"], context: ["p"] } },
        answer: { text: "Because.", log: { endMs: 500, endOnly: true } },
        scores: { "Answer Relevancy": 0.8, Faithfulness: { reason: "no key" } },
      },
    ])
    expect(skipped).toMatchObject([{ reason: "the row has no question" }])
    const results = { test_results: [{ input: "q", actual_output: "a", metrics_data: [{ name: "x", score: 1 }] }] }
    expect((await read(write("results.json", JSON.stringify(results)))).records).toMatchObject([{ scores: { x: 1 } }])
  })
})

describe("results of Ragas", () => {
  const row = {
    user_input: "q",
    retrieved_contexts: ["p, 1", "it's"],
    response: "a",
    reference: "r",
    faithfulness: 0.5,
  }

  it("are read alike from CSV, lines, a list and Parquet, under the names of today and before", async () => {
    const csv =
      'user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy\nq,"[\'p, 1\', ""it\'s""]",a,r,0.5,\n'
    const files = [
      write("r.csv", csv),
      write(
        "r.tsv",
        'user_input\tretrieved_contexts\tresponse\treference\tfaithfulness\tanswer_relevancy\nq\t"[\'p, 1\', ""it\'s""]"\ta\tr\t0.5\t\n',
      ),
      writeLines(folder, "r.jsonl", [{ ...row, answer_relevancy: null }]),
      write("r.json", JSON.stringify([{ ...row, answer_relevancy: null }])),
      parquet(
        "r.parquet",
        Object.fromEntries(Object.entries({ ...row, answer_relevancy: null }).map(([name, value]) => [name, [value]])),
      ),
    ]
    for (const file of files) {
      const { log, records } = await read(file)
      expect(log?.tool, file).toBe("ragas")
      expect(records, file).toMatchObject([
        {
          sample: { input: "q", references: ["r"], context: ["p, 1", "it's"] },
          answer: { text: "a" },
          scores: { faithfulness: 0.5, answer_relevancy: { reason: expect.any(String) } },
        },
      ])
    }
    const old = { question: "q", contexts: ["p"], answer: "a", ground_truth: "r", faithfulness: 1, __proto__: null }
    expect((await read(writeLines(folder, "o.jsonl", [old]))).records).toMatchObject([{ scores: { faithfulness: 1 } }])
  })

  it("are imported as a run, and plain questions with answers stay rows", async () => {
    const own = scratchDirectory()
    const { json } = await importJson(own, writeLines(own, "r.jsonl", [row, { ...row, user_input: ["not a text"] }]))
    expect(json[0]).toMatchObject({
      recognised: "ragas",
      samples: 1,
      skipped: [{ reason: expect.stringContaining("question") }],
    })
    expect((await read(write("plain.csv", "question,answer\nq,a\n"))).log).toBeNull()
    expect(
      (await read(writeLines(folder, "plain.jsonl", [{ question: "q", answer: "a", contexts: [] }]))).log,
    ).toBeNull()
  })
})
