import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, importJson, readLog, writeLines } from "./support.ts"

const folder = scratchDirectory()

function writeJson(name: string, value: unknown): string {
  writeFileSync(join(folder, name), JSON.stringify(value, null, 2))
  return join(folder, name)
}

describe("files of Every Eval Ever", () => {
  const instance = (evaluation: string, id: string, score: number, more: object = {}) => ({
    ...{ schema_version: "0.3.0", evaluation_id: "e", model_id: "org/m", evaluation_name: evaluation, sample_id: id },
    ...{ interaction_type: "single_turn", input: { raw: `ask ${id}`, reference: ["4"] }, output: { raw: ["four"] } },
    ...{ answer_attribution: [], evaluation: { score, is_correct: score > 0 }, ...more },
  })

  it("join the metrics of one answer, and keep apart samples that are only numbered alike", async () => {
    const rows = [
      instance("bench.acc", "1", 1, {
        sample_hash: "h1",
        performance: { latency_ms: 500, time_to_first_token_ms: 100 },
      }),
      instance("bench.loss", "1", 0.25, { sample_hash: "h1" }),
      instance("other", "1", 0, { sample_hash: "h2", error: "boom" }),
      instance("bench.acc", "1", 0, { sample_hash: "h1" }),
    ]
    writeLines(folder, "u1_samples.jsonl", rows)
    const result = (name: string, metric: string, lower: boolean) => ({
      ...{ evaluation_name: name, source_data: { dataset_name: "bench" } },
      metric_config: { metric_name: metric, lower_is_better: lower, min_score: 0, max_score: 1 },
    })
    const aggregate = writeJson("u1.json", {
      ...{ schema_version: "0.3.0", evaluation_timestamp: "1750000000", model_info: { name: "m", id: "org/m" } },
      evaluation_results: [
        result("bench.acc", "acc", false),
        result("bench.loss", "loss", true),
        result("other", "acc", false),
      ],
      detailed_evaluation_results: { file_path: "../../../etc/u1_samples.jsonl" },
    })
    const read = await readLog(aggregate)
    expect(
      read?.records.map(({ sample: { id }, repeat, answer, scores }) => [id, repeat, answer !== null, scores]),
    ).toEqual([
      ["1", 0, true, { "bench.acc/acc": 1 }],
      ["1", 0, false, { loss: 0.25 }],
      ["other/1", 0, true, { "other/acc": 0 }],
      ["1", 1, true, { "bench.acc/acc": 0 }],
    ])
    expect(read?.log.metrics.get("loss")).toEqual({ direction: "lower", range: [0, 1] })
    expect(read?.records[0]?.answer?.log).toMatchObject({ endMs: 500, events: [{ atMs: 100 }, { atMs: 500 }] })
    expect(read?.records[2]?.answer).toMatchObject({ outcome: "application_error", failure: { message: "boom" } })
  })

  it("have no answers where there is only an aggregate", async () => {
    const lone = writeJson("lone.json", { schema_version: "0.3.0", model_info: {}, evaluation_results: [] })
    await expect(importJson(folder, lone)).rejects.toThrow(/no instances beside it/)
  })
})

describe("run folders of HELM", () => {
  it("join answers and scores by instance, trial and perturbation, and leave counts out", async () => {
    const own = join(folder, "helm")
    mkdirSync(own)
    const state = (id: string, more: object, cached = false) => ({
      instance: {
        id,
        input: { text: "q" },
        references: [
          { output: { text: "a" }, tags: ["correct"] },
          { output: { text: "b" }, tags: [] },
        ],
        ...more,
      },
      ...{ train_trial_index: 0, request: { prompt: `Q: ${id}` } },
      result: { success: true, cached, request_time: 0.25, completions: [{ text: " a", tokens: [{}, {}] }] },
    })
    const stats = (id: string, mean: number, more: object = {}) => ({
      ...{ instance_id: id, train_trial_index: 0, ...more },
      stats: [
        { name: { name: "exact_match" }, mean },
        { name: { name: "num_output_tokens" }, mean: 3 },
      ],
    })
    const write = (name: string, value: unknown) => writeFileSync(join(own, name), JSON.stringify(value))
    write("scenario_state.json", {
      adapter_spec: { model: "org/m" },
      request_states: [state("id1", {}), state("id1", { perturbation: { name: "typos" } }), state("id2", {}, true)],
    })
    write("per_instance_stats.json", [
      stats("id1", 1),
      stats("id1", 0, { perturbation: { name: "typos" } }),
      stats("id2", 1),
    ])
    const read = await readLog(own)
    expect(read?.records.map(({ sample: { id }, scores, answer }) => [id, scores, answer?.source])).toEqual([
      ["id1", { exact_match: 1 }, "recorded"],
      ["id1/typos", { exact_match: 0 }, "recorded"],
      // A cached request took no time of the model's.
      ["id2", { exact_match: 1 }, "foreign"],
    ])
    expect(read?.records[0]?.sample).toMatchObject({ references: ["a"], choices: ["a", "b"], input: "Q: id1" })
  })
})

describe("results of promptfoo", () => {
  const result = (provider: string, vars: object, more: object = {}) => ({
    ...{ promptIdx: 0, testIdx: 0, provider: { id: provider, label: "" }, prompt: { raw: "p", label: "p" }, vars },
    ...{
      response: { output: "4", tokenUsage: { prompt: 7, completion: 2 } },
      success: true,
      score: 1,
      latencyMs: 120,
      cost: 0.001,
    },
    gradingResult: {
      componentResults: [
        { assertion: { type: "contains" }, score: 1 },
        { assertion: { type: "contains" }, score: 0 },
        { assertion: { type: "llm-rubric", metric: "tone" }, score: 0.5 },
      ],
    },
    ...{ failureReason: 0, namedScores: { tone: 0.75 }, ...more },
  })
  const results = [
    result("a", { q: "1" }),
    result("b", { q: "1" }, { success: false, score: 0, failureReason: 1, error: "no 5" }),
    result("a", { q: "2" }, { response: { output: { x: 1 }, cached: true, tokenUsage: { cached: 9 } } }),
    result("b", { q: "2" }, { failureReason: 2, error: "HTTP 500", response: {}, cost: 0 }),
    result("d", { q: "1" }, { failureReason: undefined, success: false, score: 0, error: "HTTP 500", response: {} }),
    result("c", { q: "1" }, { response: { output: "4", finishReason: "length" }, cost: 0 }),
  ]

  it("are read by provider, with every assertion, and without the latency and cost of what was cached", async () => {
    const path = writeJson("promptfoo.json", {
      evalId: "e",
      results: { version: 3, timestamp: "2026-01-01T00:00:00Z", results, stats: {} },
    })
    const read = await readLog(path)
    expect(read?.log.startedAt).toBe("2026-01-01T00:00:00.000Z")
    const [first, second, third, fourth, before, fifth] = read?.records ?? []
    expect(fifth?.answer).toMatchObject({ outcome: "length", cost: { status: "unknown" } })
    expect(first).toMatchObject({
      variant: "a",
      scores: { pass: 1, score: 1, contains: 1, "contains (2)": 0, tone: 0.75 },
    })
    expect(first?.answer).toMatchObject({
      source: "recorded",
      cost: { status: "known", usd: 0.001 },
      log: { endOnly: true, endMs: 120 },
    })
    expect(second).toMatchObject({ scores: { pass: 0 }, answer: { outcome: "ok" } })
    expect(third?.answer).toMatchObject({ text: '{"x":1}', source: "foreign", cost: { status: "unknown" } })
    expect(fourth).toMatchObject({
      answer: { outcome: "application_error" },
      scores: { pass: { reason: "the provider failed: HTTP 500" } },
    })
    expect(before?.scores).toEqual(fourth?.scores)
    expect(first?.sample.id).toBe(second?.sample.id)
  })

  it("are compared provider against provider, named behind a colon", async () => {
    writeJson("two.json", { results: { version: 3, results, stats: {} } })
    await expect(compareJson(folder, "two.json", "two.json")).rejects.toThrow(
      /has 4 variants: two\.json; name one behind a colon: two\.json:a, two\.json:b/,
    )
    await expect(compareJson(folder, "two.json:e", "two.json:a")).rejects.toThrow(/no variant "e"/)
    const { json } = await compareJson(folder, "two.json:a", "two.json:b")
    expect(json).toMatchObject({ a: "a", b: "b", recognised: { a: "promptfoo", b: "promptfoo" } })
    expect(json.metrics.pass).toMatchObject({ pairs: 2, difference: -1, missing: { failed_b: 1 } })
  })

  it("are read from lines, and from the table of version 2", async () => {
    const lines = await readLog(writeLines(folder, "promptfoo.jsonl", results))
    expect(lines?.records.map(({ variant }) => variant)).toEqual(["a", "b", "a", "b", "d", "c"])
    const table = {
      head: {
        prompts: [
          { provider: "a", label: "p" },
          { provider: "b", label: "q" },
        ],
      },
      body: [
        {
          test: { vars: { q: "1" } },
          outputs: [
            { text: "4", pass: true, score: 1, latencyMs: 9 },
            { text: "5", pass: false, score: 0 },
          ],
        },
      ],
    }
    const old = await readLog(writeJson("v2.json", { results: { version: 2, table, stats: {} } }))
    expect(old?.records.map(({ variant, scores, answer }) => [variant, scores.pass, answer?.text])).toEqual([
      ["a", 1, "4"],
      ["b", 0, "5"],
    ])
  })
})

describe("output items of OpenAI's Evals", () => {
  it("have the graders' scores, and the item's ideal as reference", async () => {
    const item = (n: number, passed: boolean) => ({
      ...{ object: "eval.run.output_item", status: "pass", datasource_item: { input: `q${n}`, ideal: "4" } },
      results: [
        { name: "match-0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f", passed, score: null },
        { name: "rubric", score: 0.5 },
      ],
      sample: {
        model: "gpt-x",
        output: [{ role: "assistant", content: "4" }],
        finish_reason: "stop",
        usage: { prompt_tokens: 5, completion_tokens: 1, cached_tokens: 0 },
      },
    })
    for (const path of [
      writeLines(folder, "items.jsonl", [item(1, true), item(2, false)]),
      writeJson("items.json", { object: "list", data: [item(1, true), item(2, false)] }),
    ]) {
      const read = await readLog(path)
      expect(read?.log.tool).toBe("openai-evals")
      expect(read?.records.map(({ scores, sample }) => [scores, sample.references, sample.input])).toEqual([
        [{ match: 1, rubric: 0.5 }, ["4"], "q1"],
        [{ match: 0, rubric: 0.5 }, ["4"], "q2"],
      ])
    }
  })
})

describe("files of MT-bench", () => {
  it("have a sample a turn, clustered by question, with the judge's score", async () => {
    const answers = await readLog(
      writeLines(folder, "answers.jsonl", [
        { question_id: 81, model_id: "m", choices: [{ index: 0, turns: ["one", "two"] }] },
      ]),
    )
    expect(answers?.records.map(({ sample: { id, cluster }, answer }) => [id, cluster, answer?.text])).toEqual([
      ["81/1", "81", "one"],
      ["81/2", "81", "two"],
    ])
    const prompt = "[Question]\nq\n\n[The Start of Assistant's Answer]\none\n[The End of Assistant's Answer]"
    const judged = (turn: number, score: number) => ({
      question_id: 81,
      model: "m",
      judge: ["gpt-4", "single-v1"],
      user_prompt: prompt,
      score,
      turn,
    })
    const read = await readLog(writeLines(folder, "judged.jsonl", [judged(1, 8), judged(2, -1)]))
    expect(read?.records.map(({ scores, answer }) => [scores.score, answer?.text])).toEqual([
      [8, "one"],
      [{ reason: "the judge gave no score" }, "one"],
    ])
  })
})

describe("files of nobody that is known", () => {
  it("stay plain rows for compare, and are refused by import", async () => {
    expect(await readLog(writeLines(folder, "rows.jsonl", [{ id: "a", correct: 1 }]))).toBeNull()
    expect(await readLog(writeJson("rows.json", { data: [{ id: "a" }], results: 4 }))).toBeNull()
    mkdirSync(join(folder, "empty"))
    await expect(importJson(folder, "empty")).rejects.toThrow(/folder holds no log of a tool that is known/)
    await expect(importJson(folder, "rows.jsonl")).rejects.toThrow(/no log that evalkit knows: \S*rows\.jsonl/)
    await expect(importJson(folder, "missing.eval")).rejects.toThrow(/no such file: missing\.eval/)
  })
})
