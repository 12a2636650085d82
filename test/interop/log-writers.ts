import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contentHash } from "../../src/core/json.ts"

/** An answer as the truth has it: a score of 0 or 1, or a failure. */
export type TrueAnswer = 0 | 1 | "failed"

/** A sample of a log, with its repeats in order. */
export interface TrueSample {
  readonly id: number
  readonly answers: readonly TrueAnswer[]
}

/** A kind of log that can be written with the truth beside it. */
export interface LogWriter {
  readonly tool: string
  /** The metric that holds the score. */
  readonly metric: string
  /** Whether it has a place for several answers to a sample, and for answers that failed. */
  readonly repeats: boolean
  readonly failures: boolean
  /** Writes a log; returns what to name on the command line. */
  write(folder: string, samples: readonly TrueSample[]): string
}

/** An answer of its own. */
export interface Flat {
  readonly id: number
  readonly repeat: number
  readonly score: number
  readonly isFailed: boolean
  readonly question: string
  readonly reference: string
}

export const flat = (samples: readonly TrueSample[]): readonly Flat[] =>
  samples.flatMap(({ id, answers }) =>
    answers.map((answer, repeat) => ({
      ...{ id, repeat, score: answer === "failed" ? 0 : answer, isFailed: answer === "failed" },
      ...{ question: `What is ${id}?`, reference: `It is ${id}` },
    })),
  )

/** Writes a file; returns its path. */
export const text = (folder: string, name: string, content: string): string => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
/** Writes a line an answer. */
export const lines = (name: string, row: (entry: Flat) => object) => (folder: string, samples: readonly TrueSample[]) =>
  text(
    folder,
    name,
    `${flat(samples)
      .map((entry) => JSON.stringify(row(entry)))
      .join("\n")}\n`,
  )
/** Writes a document. */
export const document =
  (name: string, make: (rows: readonly Flat[]) => unknown, indent = 0) =>
  (folder: string, samples: readonly TrueSample[]) =>
    text(folder, name, JSON.stringify(make(flat(samples)), null, indent))

const hash = (value: string) => contentHash(value).padEnd(64, "0")

const lmEvalRow = ({ id, score, question, reference }: Flat) => ({
  ...{ doc_id: id, doc: { question }, target: reference, resps: [["it is"]], filtered_resps: ["it is"] },
  arguments: { gen_args_0: { arg_0: question, arg_1: { until: ["\n"] } } },
  ...{ doc_hash: hash(question), prompt_hash: hash(question), target_hash: hash(reference), exact_match: score },
})

export const promptfooResult = ({ id, score, isFailed, question }: Flat) => ({
  ...{ provider: { id: "openai:m", label: "" }, vars: { question }, latencyMs: 100 + id, testIdx: id },
  ...(isFailed
    ? { error: "HTTP 500", response: { error: "HTTP 500" }, failureReason: 2 }
    : { response: { output: "it is" }, failureReason: score === 1 ? 0 : 1 }),
  ...{ success: score === 1 && !isFailed, score: isFailed ? 0 : score, namedScores: {} },
})

/** A sample of Inspect: one epoch of it. */
export const inspectSample = ({ id, repeat, score, isFailed, question, reference }: Flat) => ({
  ...{ id, epoch: repeat + 1, input: question, target: reference, messages: [] },
  output: {
    model: "m",
    choices: isFailed ? [] : [{ message: { content: "it is" }, stop_reason: "stop" }],
    time: 1,
  },
  ...(isFailed ? { error: { message: "boom" } } : { scores: { match: { value: score === 1 ? "C" : "I" } } }),
})

/** One for each shape that a tool has written over its versions. */
export const logWriters: Readonly<Record<string, LogWriter>> = {
  "lm-eval": {
    ...{ tool: "lm-eval", metric: "exact_match", repeats: true, failures: false },
    write: lines("samples_t_2026-01-01T00-00-00.0.jsonl", (entry) => ({
      ...lmEvalRow(entry),
      ...{ filter: "none", metrics: ["exact_match"] },
    })),
  },
  "lm-eval 0.4.3": {
    ...{ tool: "lm-eval", metric: "exact_match", repeats: true, failures: false },
    write: lines("samples_t_2024-09-01T00-00-00.0.jsonl", lmEvalRow),
  },
  "lm-eval 0.4.0": {
    ...{ tool: "lm-eval", metric: "exact_match", repeats: true, failures: false },
    write: document("pretrained__m_t.jsonl", (rows) => rows.map(lmEvalRow), 2),
  },
  inspect: {
    ...{ tool: "inspect", metric: "match", repeats: true, failures: true },
    write: document("log.json", (rows) => ({
      ...{ version: 2, status: "success", eval: { task: "t", model: "m", created: "2026-01-01T00:00:00Z" } },
      ...{ results: { scores: [{ name: "match", scorer: "match" }] } },
      samples: rows.map(inspectSample),
    })),
  },
  promptfoo: {
    ...{ tool: "promptfoo", metric: "pass", repeats: true, failures: true },
    write: document("promptfoo.json", (rows) => ({
      evalId: "e",
      results: {
        ...{ version: 3, timestamp: "2026-01-01T00:00:00Z", prompts: [], stats: {} },
        results: rows.map((row) => ({
          promptIdx: 0,
          promptId: "p",
          prompt: { raw: row.question, label: "{{question}}" },
          ...promptfooResult(row),
        })),
      },
    })),
  },
  "promptfoo 2": {
    ...{ tool: "promptfoo", metric: "pass", repeats: true, failures: true },
    write: document("promptfoo2.json", (rows) => ({
      results: {
        ...{ version: 2, stats: {}, table: { head: { prompts: [] }, body: [] } },
        results: rows.map((row) => ({
          prompt: { raw: row.question, display: "{{question}}" },
          ...promptfooResult(row),
        })),
      },
    })),
  },
  deepeval: {
    ...{ tool: "deepeval", metric: "Answer Relevancy", repeats: true, failures: false },
    write: document(".latest_test_run.json", (rows) => ({
      testRunData: {
        testCases: rows.map(({ score, question, reference }) => ({
          ...{ name: "t", input: question, actualOutput: "it is", expectedOutput: reference, success: score === 1 },
          metricsData: [{ name: "Answer Relevancy", score, threshold: 0.5, success: score === 1 }],
        })),
      },
    })),
  },
  ragas: {
    ...{ tool: "ragas", metric: "faithfulness", repeats: true, failures: false },
    write: document("ragas.json", (rows) =>
      rows.map(({ score, question, reference }) => ({
        ...{ user_input: question, response: "it is", reference, retrieved_contexts: ["c"], faithfulness: score },
      })),
    ),
  },
  "mt-bench": {
    ...{ tool: "mt-bench", metric: "score", repeats: true, failures: false },
    write: lines("gpt-4_single.jsonl", ({ id, score, question }) => ({
      ...{
        question_id: id,
        model: "m",
        judge: ["gpt-4", "single-v1"],
        turn: 1,
        score: score === 1 ? 10 : 1,
        tstamp: 1,
      },
      user_prompt: `[Question]\n${question}\n\n[The Start of Assistant's Answer]\nit is\n[The End of Assistant's Answer]`,
    })),
  },
  "openai-evals": {
    ...{ tool: "openai-evals", metric: "match", repeats: true, failures: true },
    write: lines("items.jsonl", ({ score, isFailed, question, reference }) => ({
      ...{ object: "eval.run.output_item", datasource_item: { input: question, ideal: reference } },
      ...(isFailed
        ? {
            status: "error",
            results: [{ name: "match", score: null }],
            sample: { model: "m", error: { message: "boom" } },
          }
        : {
            ...{ status: "pass", results: [{ name: "match", score, passed: score === 1 }] },
            sample: { model: "m", output: [{ role: "assistant", content: "it is" }], finish_reason: "stop" },
          }),
    })),
  },
  "every-eval-ever": {
    ...{ tool: "every-eval-ever", metric: "bench", repeats: true, failures: false },
    write: lines("u_samples.jsonl", ({ id, score, question, reference }) => ({
      ...{
        schema_version: "0.3.0",
        evaluation_id: "e",
        model_id: "m",
        evaluation_name: "bench",
        sample_id: String(id),
      },
      ...{ sample_hash: hash(question), input: { raw: question, reference: [reference] }, output: { raw: ["it is"] } },
      evaluation: { score, is_correct: score === 1 },
    })),
  },
  evalscope: {
    ...{ tool: "evalscope", metric: "acc", repeats: true, failures: false },
    write: lines("arc_test.jsonl", ({ id, score, question, reference }) => ({
      ...{ index: id, input: question, target: reference },
      sample_score: {
        sample_id: id,
        score: { value: { acc: score }, prediction: "it is", extracted_prediction: "is" },
      },
    })),
  },
  "evalscope 0": {
    ...{ tool: "evalscope", metric: "AverageAccuracy", repeats: true, failures: false },
    write: lines("arc_old.jsonl", ({ id, score, question, reference }) => ({
      ...{ index: id, raw_input: { question }, model_spec: { model_id: "m" }, reviewed: true },
      choices: [
        { index: 0, message: { content: "it is" }, review: { gold: reference, result: { AverageAccuracy: score } } },
      ],
    })),
  },
  opencompass: {
    ...{ tool: "opencompass", metric: "correct", repeats: true, failures: false },
    write: document("demo_gsm8k.json", (rows) => ({
      accuracy: 0,
      details: Object.fromEntries(
        rows.map(({ score, question, reference }, i) => [
          i,
          {
            prompt: [{ role: "HUMAN", prompt: question }],
            origin_prediction: "it is",
            predictions: "is",
            references: reference,
            correct: score === 1,
          },
        ]),
      ),
    })),
  },
  "swe-bench": {
    ...{ tool: "swe-bench", metric: "resolved", repeats: false, failures: true },
    write: document("m.run.json", (rows) => {
      const ids = (isWanted: (entry: Flat) => boolean) => rows.filter(isWanted).map(({ id }) => `org__repo-${id}`)
      return {
        ...{ total_instances: rows.length, submitted_ids: ids(() => true), schema_version: 2, empty_patch_ids: [] },
        resolved_ids: ids(({ score }) => score === 1),
        unresolved_ids: ids(({ score, isFailed }) => score === 0 && !isFailed),
        error_ids: ids(({ isFailed }) => isFailed),
      }
    }),
  },
  mlflow: {
    ...{ tool: "mlflow", metric: "exact_match/v1", repeats: true, failures: false },
    write: document("eval_results_table.json", (rows) => ({
      columns: ["inputs", "ground_truth", "outputs", "exact_match/v1/score", "latency"],
      data: rows.map(({ score, question, reference }) => [question, reference, "it is", score, 1.5]),
    })),
  },
  "mlflow 3": {
    ...{ tool: "mlflow", metric: "exact", repeats: true, failures: true },
    write: lines("eval_results.jsonl", ({ score, isFailed, question, reference }) => ({
      ...{ trace_id: "tr", "exact/value": score === 1, "expected_response/value": reference },
      trace: JSON.stringify({
        info: {
          ...{ trace_id: "tr", state: isFailed ? "ERROR" : "OK", execution_duration_ms: 20 },
          assessments: [
            { assessment_name: "expected_response", expectation: { value: reference } },
            ...(isFailed ? [] : [{ assessment_name: "exact", feedback: { value: score === 1 }, valid: true }]),
          ],
        },
        data: {
          spans: [
            {
              parent_span_id: null,
              attributes: {
                "mlflow.spanInputs": JSON.stringify({ question }),
                ...(!isFailed && { "mlflow.spanOutputs": JSON.stringify("it is") }),
              },
            },
          ],
        },
      }),
    })),
  },
  "tau-bench": {
    ...{ tool: "tau-bench", metric: "reward", repeats: true, failures: true },
    write: document("tau.json", (rows) =>
      rows.map(({ id, repeat, score, isFailed }) => ({
        ...{ task_id: id, trial: repeat, reward: score, info: isFailed ? { error: "boom" } : {} },
        traj: isFailed
          ? []
          : [
              { role: "user", content: "hello" },
              { role: "assistant", content: "done" },
            ],
      })),
    ),
  },
  langfuse: {
    ...{ tool: "langfuse", metric: "correct", repeats: true, failures: false },
    write: lines("observations.jsonl", ({ score, question }) => ({
      ...{ id: "o", traceId: "t", type: "GENERATION", model: "m", startTime: "2026-01-01T00:00:00Z", input: question },
      ...{ output: "it is", scores: { correct: [score] } },
    })),
  },
  langsmith: {
    ...{ tool: "langsmith", metric: "correct", repeats: true, failures: true },
    write: document("runs.json", (rows) =>
      rows.map(({ id, score, isFailed, question }) => ({
        ...{ id: "r", run_type: "chain", reference_example_id: `e${id}`, start_time: "2026-01-01T00:00:00" },
        ...{ inputs: { question }, outputs: isFailed ? null : { answer: "it is" }, error: isFailed ? "boom" : null },
        feedback_stats: isFailed ? {} : { correct: { n: 1, avg: score } },
      })),
    ),
  },
  braintrust: {
    ...{ tool: "braintrust", metric: "correct", repeats: true, failures: true },
    write: document("events.json", (rows) => ({
      events: rows.map(({ score, isFailed, question, reference }) => ({
        ...{
          id: "e",
          experiment_id: "x",
          span_id: "s",
          root_span_id: "s",
          is_root: true,
          input: question,
          expected: reference,
        },
        ...{ output: isFailed ? null : "it is", error: isFailed ? "boom" : null },
        scores: isFailed ? {} : { correct: score },
      })),
    })),
  },
  phoenix: {
    ...{ tool: "phoenix", metric: "correct", repeats: true, failures: true },
    write: document("experiment.json", (rows) =>
      rows.map(({ id, repeat, score, isFailed, question, reference }) => ({
        ...{ example_id: String(id), repetition_number: repeat + 1, input: { question }, reference_output: reference },
        ...{ output: isFailed ? null : "it is", error: isFailed ? "boom" : null },
        annotations: isFailed ? [] : [{ name: "correct", annotator_kind: "CODE", score }],
      })),
    ),
  },
  livecodebench: {
    ...{ tool: "livecodebench", metric: "pass", repeats: true, failures: false },
    write: (folder, samples) =>
      text(
        folder,
        "Scenario.codegeneration_eval_all.json",
        JSON.stringify(
          samples.map(({ id, answers }) => ({
            ...{ question_id: String(id), question_content: `What is ${id}?`, platform: "p" },
            ...{ output_list: answers.map(() => "it is"), code_list: answers.map(() => "it is") },
            graded_list: answers.map((answer) => answer === 1),
          })),
        ),
      ),
  },
}
