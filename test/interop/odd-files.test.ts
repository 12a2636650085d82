import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { importJson, readLog } from "./support.ts"

const inspect = (...samples: readonly object[]) => ({
  ...{ version: 2, status: "success", eval: { task: "t", model: "m" } },
  samples: samples.map((sample) => ({
    ...{ id: 1, epoch: 1, input: "q", target: "a", scores: { match: { value: "C" } } },
    ...{ output: { choices: [{ message: { role: "assistant", content: "a" } }] }, ...sample },
  })),
})
const review = (facts: object, score: object) => ({ index: 0, target: ["A"], ...facts, sample_score: { score } })
const chat = [
  { role: "user", content: [{ type: "text", text: "q" }] },
  {
    ...{ role: "assistant", content: "A", source: "generate", model: "m" },
    perf_metrics: { latency: 1.5, ttft: 0.25, input_tokens: 3, output_tokens: 4 },
  },
]

/** What is odd, the file, and of each answer: variant, repeat, outcome, scores. */
const table: readonly (readonly [what: string, content: object | string, answers: readonly unknown[]])[] = [
  ["one id and epoch twice", inspect({}, {}), ["m 0 ok match=1", "m 1 ok match=1"]],
  ["one id with two questions", inspect({}, { input: "r" }), ["m 0 ok match=1", "m 0 ok match=1"]],
  ["NaN", JSON.stringify(inspect({ scores: { match: { value: "X" } } })).replace('"X"', "NaN"), ["m 0 ok match=?"]],
  ["a byte order mark", `\uFEFF${JSON.stringify(inspect({}))}`, ["m 0 ok match=1"]],
  [
    "the first row of Ragas without a score",
    '[{"user_input":"q","response":"r","reference":"g","faithfulness":NaN}]',
    ["model 0 ok faithfulness=?"],
  ],
  [
    "EvalScope 1.14: messages",
    `${JSON.stringify(review({ messages: chat }, { value: { acc: true }, prediction: "A" }))}\n`,
    ["m 0 ok acc=1"],
  ],
  [
    "EvalScope 1.14: a metric that fell, for which it writes 0",
    `${JSON.stringify(review({ messages: chat }, { value: { "bleu-1": 0, "Rouge-1-R": 0 }, metadata: { metric_errors: { BLEU: "LookupError: no data\nmore" } } }))}\n`,
    ["m 0 ok bleu-1=?,Rouge-1-R=0"],
  ],
  [
    "OpenCompass: perplexities of choices",
    {
      details: {
        type: "PPL",
        0: { origin_prediction: { A: { prompt: "Q A", PPL: 1 } }, predictions: "A", correct: false },
      },
    },
    ["model 0 ok correct=0"],
  ],
  [
    "OpenCompass: details without prompts",
    {
      details: [
        { pred: ["x"], answer: ["x"], correct: [true] },
        { pred: ["y"], answer: ["z"], correct: [false] },
      ],
    },
    ["model 0 ok correct=1", "model 0 ok correct=0"],
  ],
  [
    "OpenCompass: details without grades",
    { details: { 0: { prompt: "q", origin_prediction: "a", predictions: "a", references: "a" } } },
    ["model 0 ok "],
  ],
  [
    "SWE-bench 5: a spoiled environment",
    { resolved_ids: ["a"], unresolved_ids: ["b"], error_ids: [], infra_failure_ids: ["b"] },
    ["log 0 ok resolved=1", "log 0 ok resolved=?"],
  ],
  [
    "SWE-bench 1",
    { no_generation: ["c"], generated: ["a", "b"], resolved: ["a"] },
    ["log 0 ok resolved=1", "log 0 ok resolved=0", "log 0 ok resolved=0"],
  ],
  [
    "SWE-bench: predictions by instance",
    { a: { instance_id: "a", model_name_or_path: "m", model_patch: "diff" } },
    ["m 0 ok "],
  ],
  ["MLflow: a table without scores", { columns: ["inputs", "outputs"], data: [["q", "a"]] }, ["model 0 ok "]],
  [
    "a row on several lines",
    JSON.stringify({ instance_id: "a", model_name_or_path: "m", model_patch: "diff" }, null, 2),
    ["m 0 ok "],
  ],
]

it.each(table)("%s", async (_what, content, answers) => {
  const folder = scratchDirectory()
  writeFileSync(join(folder, "log.json"), typeof content === "string" ? content : JSON.stringify(content))
  const read = await readLog(join(folder, "log.json"))
  expect(read?.skipped).toEqual([])
  const lines = read?.records.map(({ variant, repeat, answer, scores }) => {
    const shown = Object.entries(scores).map(([name, score]) => `${name}=${typeof score === "number" ? score : "?"}`)
    return `${variant} ${repeat} ${answer?.outcome} ${shown}`
  })
  expect(lines).toEqual(answers)
  const { json } = await importJson(folder, "log.json")
  expect(json[0]?.answers).toBe(answers.length)
})

it("EvalScope's calls have their times and tokens, in milliseconds", async () => {
  const folder = scratchDirectory()
  writeFileSync(join(folder, "log.jsonl"), JSON.stringify(review({ messages: chat }, { value: { acc: 1 } })))
  const answer = (await readLog(join(folder, "log.jsonl")))?.records[0]?.answer
  expect(answer?.usage).toMatchObject({ promptTokens: 3, completionTokens: 4 })
  expect([answer?.text, answer?.log.endMs, answer?.log.events[0]?.atMs]).toEqual(["A", 1500, 250])
})

it("a list of samples of lm-eval that is cut off says so", async () => {
  const folder = scratchDirectory()
  writeFileSync(join(folder, "samples_arc_2024-01-01T00-00-00.jsonl"), '[{"doc_id":0,"acc":1},{"doc_id"')
  await expect(importJson(folder, ".")).rejects.toThrow(/not JSON: cut off/)
})

it("a document that is damaged in a row says so when it is read", async () => {
  const folder = scratchDirectory()
  const text = JSON.stringify(inspect(...Array.from({ length: 12 }, (_, id) => ({ id }))))
  writeFileSync(join(folder, "log.json"), text.replace('"id":11', '"id":,'))
  await expect(importJson(folder, "log.json")).rejects.toThrow(/not JSON: cut off, or damaged.*samples\/11/)
})
