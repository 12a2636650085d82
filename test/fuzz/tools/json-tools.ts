import { traceJson } from "../../interop/otlp-writer.ts"

/** A file of a tool: a document, or rows of which each is a line. */
export interface ToolPart {
  readonly name: string
  readonly value: unknown
  readonly lines?: boolean
}

/** Files of a tool that belong together, and what a person gives of them: a file, or their folder (""). */
export interface ToolFiles {
  readonly tool: string
  readonly parts: readonly ToolPart[]
  readonly given: string
}

const packed = (tool: string, name: string, value: unknown, lines = false): ToolFiles => ({
  ...{ tool, given: name },
  parts: [{ name, value, lines }],
})

const ids = [1, 2, 3]

const instances = ids.map((i) => ({
  ...{ schema_version: "0.3.0", evaluation_id: "e", model_id: "org/m", evaluation_name: "bench.acc" },
  ...{ sample_id: String(i), sample_hash: `h${i}`, interaction_type: "single_turn" },
  ...{ input: { raw: `ask ${i}`, reference: ["4"], choices: ["4", "5"] }, output: { raw: ["four"] }, messages: null },
  ...{ answer_attribution: [], evaluation: { score: i % 2, is_correct: i % 2 === 1 }, error: i === 3 ? "boom" : null },
  token_usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
  performance: { latency_ms: 500, time_to_first_token_ms: 100 },
}))
const aggregate = {
  ...{ schema_version: "0.3.0", evaluation_id: "e", retrieved_timestamp: "1750000000" },
  model_info: { name: "m", id: "org/m" },
  evaluation_results: [
    {
      ...{ evaluation_name: "bench.acc", source_data: { dataset_name: "bench" } },
      metric_config: { metric_name: "acc", lower_is_better: false, min_score: 0, max_score: 1 },
      score_details: { score: 0.67 },
    },
  ],
  detailed_evaluation_results: { format: "jsonl", file_path: "u_samples.jsonl", total_rows: 3 },
}
const eee = [
  { name: "u.json", value: aggregate },
  { name: "u_samples.jsonl", value: instances, lines: true },
]

/** A log of Inspect, of which the zip holds the same pieces. */
export const inspect = {
  ...{ version: 2, status: "success" },
  eval: { task: "arith", model: "openai/gpt-x", created: "2026-10-01T10:00:00+02:00", dataset: { name: "d" } },
  results: { scores: [{ name: "match", scorer: "match", metrics: { accuracy: { value: 0.5 } } }] },
  samples: ids.map((id) => ({
    ...{ id, epoch: 1, input: `what is ${id}?`, target: "4", metadata: { a: 1 } },
    scores: { match: { value: id % 2 ? "C" : "I", answer: "4" } },
    messages: [
      { role: "user", content: "…" },
      { role: "assistant", source: "generate", content: [{ type: "text", text: "4" }] },
    ],
    output: {
      ...{ model: "gpt-x-1", time: 0.5 },
      choices: [{ message: { role: "assistant", content: "4" }, stop_reason: "stop" }],
    },
    model_usage: { "openai/gpt-x": { input_tokens: 10, output_tokens: 3, total_tokens: 13 } },
    ...(id === 3 && { error: { message: "it broke" }, limit: { type: "time", limit: 5 } }),
  })),
}

const lmRows = ids.map((i) => ({
  ...{ doc_id: i, doc: { q: `what is ${i}` }, target: String(i), filter: "none", metrics: ["exact_match"] },
  arguments: { gen_args_0: { arg_0: `Q: what is ${i}`, arg_1: { until: ["\n"] } } },
  ...{ resps: [[`it is ${i}`]], filtered_resps: [String(i)], exact_match: i % 2 },
  ...{ doc_hash: `d${i}-`.padEnd(64, "0"), prompt_hash: `p${i}`, target_hash: `t${i}` },
}))
const lmResults = {
  ...{ results: { task: { alias: "task", "exact_match,none": 0.67, "exact_match_stderr,none": 0.1 } } },
  ...{ configs: { task: { task: "task" } }, versions: { task: 1 }, "n-shot": { task: 0 } },
  ...{ higher_is_better: { task: { exact_match: true } }, "n-samples": { task: { original: 3, effective: 3 } } },
  ...{ config: { model: "hf", model_args: "pretrained=org/m" }, git_hash: "x", date: 1750000000 },
}
const lm = [
  { name: "results_2026-01-01T00-00-00.json", value: lmResults },
  { name: "samples_task_2026-01-01T00-00-00.jsonl", value: lmRows, lines: true },
]

const promptfoo = ids.map((i) => ({
  ...{ promptIdx: 0, testIdx: i, provider: { id: "a", label: "" }, prompt: { raw: "p", label: "p" } },
  ...{ vars: { q: String(i) }, success: true, score: 1, latencyMs: 120, cost: 0.001, failureReason: 0 },
  response: { output: "4", cached: i === 2, tokenUsage: { prompt: 7, completion: 2 } },
  ...{ namedScores: { tone: 0.75 }, gradingResult: { componentResults: [{ assertion: { type: "is" }, score: 1 }] } },
}))
const table = {
  head: { prompts: [{ provider: "a", label: "p" }] },
  body: [{ test: { vars: { q: "1" } }, outputs: [{ text: "4", pass: true, score: 1, latencyMs: 9 }] }],
}

const helmStates = {
  adapter_spec: { model: "org/m" },
  request_states: ids.map((i) => ({
    instance: { id: `id${i}`, input: { text: "q" }, references: [{ output: { text: "a" }, tags: ["correct"] }] },
    ...{ train_trial_index: 0, request: { prompt: `Q: ${i}` } },
    result: { success: true, cached: false, request_time: 0.25, completions: [{ text: " a", tokens: [{}, {}] }] },
  })),
}
const helmStats = ids.map((i) => ({
  ...{ instance_id: `id${i}`, train_trial_index: 0 },
  stats: [{ name: { name: "exact_match", split: "test" }, count: 1, sum: 1, mean: 1 }],
}))

const items = ids.map((i) => ({
  ...{ object: "eval.run.output_item", status: "pass", datasource_item: { input: `q${i}`, ideal: "4" } },
  results: [{ name: "match-0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f", passed: true, score: null }],
  sample: {
    ...{ model: "gpt-x", output: [{ role: "assistant", content: "4" }], finish_reason: "stop" },
    usage: { prompt_tokens: 5, completion_tokens: 1, cached_tokens: 0 },
  },
}))

const turns = ids.map((i) => ({
  ...{ question_id: 80 + i, model_id: "m" },
  choices: [{ index: 0, turns: ["one", "two"] }],
}))
const judged = ids.map((i) => ({
  ...{ question_id: 80 + i, model: "m", judge: ["gpt-4", "single-v1"], score: 8, turn: 1 },
  user_prompt: "[Question]\nq\n\n[The Start of Assistant's Answer]\none\n[The End of Assistant's Answer]",
}))

const testRun = {
  testFile: "test_shop.py",
  testCases: ids.map((i) => ({
    ...{ name: "t", input: `Why ${i}?`, actualOutput: "Because.", expectedOutput: "Because", retrievalContext: ["p"] },
    ...{ metricsData: [{ name: "Faithfulness", score: 0.5, success: true }], completionTime: 0.5 },
  })),
  hyperparameters: { model: "m-1" },
}

const ragas = ids.map((i) => ({
  ...{ user_input: `q${i}`, retrieved_contexts: ["p"], response: "a", reference: "r", faithfulness: 0.5 },
}))

const trace = traceJson(
  ids.map((i) => ({
    ...{ id: String(i), name: "chat m", at: [i, i + 1000] as const },
    attributes: {
      ...{ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "m" },
      "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [{ type: "text", content: `why ${i}?` }] }]),
      "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: [{ type: "text", content: "so" }] }]),
      ...{ "gen_ai.usage.input_tokens": 12, "gen_ai.usage.output_tokens": 5 },
    },
    events: [{ name: "gen_ai.evaluation.result", attributes: { "gen_ai.evaluation.name": "good", score: 1 } }],
  })),
)

/** A file or folder of every tool whose files are JSON. */
export const jsonTools: readonly ToolFiles[] = [
  { tool: "every-eval-ever", given: "u.json", parts: eee },
  { tool: "every-eval-ever", given: "u_samples.jsonl", parts: eee },
  packed("inspect", "log.json", inspect),
  { tool: "lm-eval", given: "", parts: lm },
  { tool: "lm-eval", given: "samples_task_2026-01-01T00-00-00.jsonl", parts: lm },
  { tool: "lm-eval", given: "results_2026-01-01T00-00-00.json", parts: lm },
  packed("promptfoo", "v3.json", { evalId: "e", results: { version: 3, timestamp: "2026-01-01", results: promptfoo } }),
  packed("promptfoo", "v2.json", { results: { version: 2, table, stats: {} } }),
  packed("promptfoo", "results.jsonl", promptfoo, true),
  {
    ...{ tool: "helm", given: "" },
    parts: [
      { name: "scenario_state.json", value: helmStates },
      { name: "per_instance_stats.json", value: helmStats },
      { name: "run_spec.json", value: { name: "mmlu", metric_specs: [] } },
    ],
  },
  packed("openai-evals", "items.jsonl", items, true),
  packed("openai-evals", "items.json", { object: "list", data: items }),
  packed("mt-bench", "answers.jsonl", turns, true),
  packed("mt-bench", "judged.jsonl", judged, true),
  packed("deepeval", "run.json", testRun),
  packed("ragas", "r.jsonl", ragas, true),
  packed("ragas", "r.json", ragas),
  packed("otlp", "trace.json", trace),
  packed("otlp", "trace.jsonl", [trace, trace], true),
]
