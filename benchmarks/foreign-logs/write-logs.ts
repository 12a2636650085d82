import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { crc32, deflateRawSync } from "node:zlib"
import { createRandom } from "../../src/core/random.ts"

/** An answer that every tool logs in its own shape. */
interface Logged {
  readonly i: number
  readonly question: string
  readonly reference: string
  readonly answer: string
  readonly score: number
  readonly latencyMs: number
}

/** Some 60 words of a question, 120 of an answer: 1 kB in all, before a tool's own members. */
function* logged(count: number, log: 0 | 1): Generator<Logged> {
  const words = Array.from({ length: 2000 }, (_, i) => `w${(i * 7919).toString(36)}`)
  for (let i = 0; i < count; i++) {
    const asked = createRandom(`question ${i}`)
    const answered = createRandom(`answer ${i} ${log}`)
    const text = (random: typeof asked, length: number) =>
      Array.from({ length }, () => words[Math.floor(random.next() * words.length)]).join(" ")
    yield {
      ...{ i, question: `${text(asked, 60)} (${i})?`, reference: `w${i % 97}`, answer: text(answered, 120) },
      ...{ score: Number(answered.next() < 0.7 + 0.02 * log), latencyMs: 300 + answered.next() * 900 },
    }
  }
}

type Write = (text: string | Uint8Array) => void

function file(folder: string, name: string, write: (put: Write) => void): string {
  const path = openSync(join(folder, name), "w")
  // Many small writes are slow.
  let kept: Buffer[] = []
  let length = 0
  const flush = () => {
    const bytes = Buffer.concat(kept)
    for (let at = 0; at < bytes.length; ) at += writeSync(path, bytes, at)
    kept = []
    length = 0
  }
  write((text) => {
    const bytes = Buffer.from(text as string)
    kept.push(bytes)
    length += bytes.length
    if (length > 2 ** 22) flush()
  })
  flush()
  closeSync(path)
  return name
}

const lines =
  (row: (item: Logged) => object) =>
  (folder: string, name: string, count: number, log: 0 | 1): string =>
    file(folder, `${name}.jsonl`, (put) => {
      for (const item of logged(count, log)) put(`${JSON.stringify(row(item))}\n`)
    })

/** One document: rows between what stands before and behind them. */
const document =
  (before: string, row: (item: Logged) => unknown, behind: string) =>
  (folder: string, name: string, count: number, log: 0 | 1): string =>
    file(folder, `${name}.json`, (put) => {
      put(before)
      for (const item of logged(count, log)) put(`${item.i > 0 ? "," : ""}${JSON.stringify(row(item))}`)
      put(behind)
    })

const promptfooResult = ({ i, question, answer, score, latencyMs }: Logged) => ({
  ...{ promptIdx: 0, testIdx: i, promptId: "p", provider: { id: "openai:m", label: "" }, vars: { question } },
  ...{ prompt: { raw: question, label: "{{question}}" }, success: score === 1, score, latencyMs, cost: 0.0001 },
  response: { output: answer, tokenUsage: { total: 250, prompt: 90, completion: 160 } },
  ...{ failureReason: score === 1 ? 0 : 1, namedScores: {} },
  gradingResult: { pass: score === 1, score, reason: "", componentResults: [{ assertion: { type: "equals" }, score }] },
})

const inspectSample = ({ i, question, reference, answer, score, latencyMs }: Logged) => ({
  ...{ id: i, epoch: 1, input: question, target: reference, metadata: {} },
  messages: [
    { role: "user", content: question },
    { role: "assistant", content: answer, source: "generate" },
  ],
  output: {
    ...{ model: "m", time: latencyMs / 1000, usage: { input_tokens: 90, output_tokens: 160, total_tokens: 250 } },
    choices: [{ message: { role: "assistant", content: answer }, stop_reason: "stop" }],
  },
  scores: { match: { value: score === 1 ? "C" : "I", answer } },
})

const header = {
  ...{ version: 2, status: "success" },
  eval: { task: "bench", model: "org/m", created: "2026-10-01T10:00:00+00:00" },
}

/** Writers of a log of each tool: folder, name without extension, answers, which of the two; the file's name. */
export const writers: Readonly<Record<string, (folder: string, name: string, count: number, log: 0 | 1) => string>> = {
  "Every Eval Ever": lines(({ i, question, reference, answer, score, latencyMs }) => ({
    ...{ schema_version: "0.3.0", evaluation_id: "e", model_id: "org/m", evaluation_name: "bench.acc" },
    ...{ sample_id: String(i), sample_hash: `h${i}`, interaction_type: "single_turn", messages: null },
    ...{ input: { raw: question, formatted: question, reference: [reference], choices: null } },
    ...{ output: { raw: [answer] }, answer_attribution: [], evaluation: { score, is_correct: score === 1 } },
    token_usage: { input_tokens: 90, output_tokens: 160, total_tokens: 250 },
    performance: { latency_ms: latencyMs, time_to_first_token_ms: 120 },
  })),
  "lm-eval": lines(({ i, question, reference, answer, score }) => ({
    ...{ doc_id: i, doc: { question, answer: reference }, target: reference, filter: "none", metrics: ["exact_match"] },
    arguments: { gen_args_0: { arg_0: `Q: ${question}\nA:`, arg_1: { until: ["\n"] } } },
    ...{ resps: [[answer]], filtered_resps: [answer], exact_match: score },
    ...{ doc_hash: `d${i}`.padEnd(64, "0"), prompt_hash: `p${i}`.padEnd(64, "0"), target_hash: `t${i}` },
  })),
  "OpenAI Evals": lines(({ question, reference, answer, score }) => ({
    ...{ object: "eval.run.output_item", status: score ? "pass" : "fail" },
    datasource_item: { input: question, ideal: reference },
    results: [{ name: "match", passed: score === 1, score, type: "string_check" }],
    sample: {
      ...{ model: "m", finish_reason: "stop", input: [{ role: "user", content: question }] },
      output: [{ role: "assistant", content: answer }],
      usage: { prompt_tokens: 90, completion_tokens: 160, total_tokens: 250, cached_tokens: 0 },
    },
  })),
  "promptfoo, lines": lines(promptfooResult),
  "promptfoo, one document": document(
    '{"evalId":"e","results":{"version":3,"timestamp":"2026-10-01T10:00:00Z","results":[',
    promptfooResult,
    '],"stats":{}}}',
  ),
  "MT-bench": lines(({ i, question, answer, score }) => ({
    ...{ question_id: i, model: "m", judge: ["gpt-4", "single-v1"], turn: 1, score: 1 + 9 * score, tstamp: i },
    user_prompt: `[Question]\n${question}\n\n[The Start of Assistant's Answer]\n${answer}\n[The End of Assistant's Answer]`,
  })),
  Ragas: lines(({ question, reference, answer, score }) => ({
    ...{ user_input: question, response: answer, reference, retrieved_contexts: [reference], faithfulness: score },
  })),
  EvalScope: lines(({ i, question, reference, answer, score }) => ({
    ...{ index: i, input: question, target: reference },
    sample_score: {
      sample_id: i,
      score: { value: { acc: score }, prediction: answer, extracted_prediction: reference },
    },
  })),
  "τ-bench": lines(({ i, question, answer, score }) => ({
    ...{ task_id: i, trial: 0, reward: score, info: {} },
    traj: [
      { role: "user", content: question },
      { role: "assistant", content: answer },
    ],
  })),
  LangSmith: lines(({ i, question, answer, score, latencyMs }) => ({
    ...{ id: `r${i}`, run_type: "chain", reference_example_id: `e${i}`, inputs: { question }, outputs: { answer } },
    ...{ start_time: 1.7e9, end_time: 1.7e9 + latencyMs / 1000, feedback_stats: { correct: { n: 1, avg: score } } },
  })),
  Langfuse: lines(({ i, question, answer, score, latencyMs }) => ({
    ...{ id: `o${i}`, traceId: `t${i}`, type: "GENERATION", model: "m", input: [{ role: "user", content: question }] },
    ...{ output: answer, startTime: 1.7e9, endTime: 1.7e9 + latencyMs / 1000, scores: { correct: [score] } },
  })),
  Braintrust: lines(({ i, question, reference, answer, score, latencyMs }) => ({
    ...{ id: `e${i}`, experiment_id: "x", span_id: `s${i}`, root_span_id: `s${i}`, input: question, output: answer },
    ...{ expected: reference, scores: { correct: score }, metrics: { start: 1.7e9, end: 1.7e9 + latencyMs / 1000 } },
  })),
  Phoenix: lines(({ i, question, reference, answer, score }) => ({
    ...{ example_id: `x${i}`, repetition_number: 1, input: { question }, reference_output: reference, output: answer },
    ...{ error: null, annotations: [{ name: "correct", score }] },
  })),
  LiveCodeBench: lines(({ i, question, answer, score }) => ({
    ...{ question_id: `q${i}`, question_content: question, output_list: [answer], code_list: [answer] },
    graded_list: [score === 1],
  })),
  BFCL: (folder, name, count, log) => {
    const at = (kind: string) => join(name, kind, "m", `BFCL_v4_simple_${kind}`)
    for (const kind of ["result", "score"]) mkdirSync(join(folder, name, kind, "m"), { recursive: true })
    const rows = logged(count, log)
    file(folder, `${at("score")}.jsonl`, (put) => {
      put(`${JSON.stringify({ accuracy: 0.7, correct_count: 0, total_count: count })}\n`)
      for (const { i, score } of rows) if (score === 0) put(`${JSON.stringify({ id: `simple_${i}`, valid: false })}\n`)
    })
    return lines(({ i, answer, latencyMs }) => ({
      ...{ id: `simple_${i}`, result: answer, latency: latencyMs / 1000 },
      ...{ input_token_count: 90, output_token_count: 160 },
    }))(folder, at("result"), count, log)
  },
  HELM: writeHelm,
  "MLflow's traces": lines(({ question, reference, answer, score, latencyMs }) => ({
    trace: JSON.stringify({
      info: {
        ...{ trace_id: "tr", state: "OK", execution_duration_ms: latencyMs },
        assessments: [
          { assessment_name: "expected_response", expectation: { value: reference } },
          { assessment_name: "exact", feedback: { value: score === 1 } },
        ],
      },
      data: {
        spans: [
          {
            parent_span_id: null,
            attributes: {
              "mlflow.spanInputs": JSON.stringify({ question }),
              "mlflow.spanOutputs": JSON.stringify(answer),
            },
          },
        ],
      },
    }),
  })),
  "Inspect, .eval": writeEval,
  "Inspect, .json": document(`${JSON.stringify(header).slice(0, -1)},"samples":[`, inspectSample, "]}"),
  "DeepEval, one document": document(
    '{"testRunData":{"testCases":[',
    ({ question, reference, answer, score, latencyMs }) => ({
      ...{ name: "t", input: question, actualOutput: answer, expectedOutput: reference, success: score === 1 },
      ...{ completionTime: latencyMs / 1000, metricsData: [{ name: "Correct", score, success: score === 1 }] },
    }),
    '],"conversationalTestCases":[]}}',
  ),
  "MLflow, one document": document(
    '{"columns":["inputs","ground_truth","outputs","latency","correct/score"],"data":[',
    ({ question, reference, answer, score, latencyMs }) => [question, reference, answer, latencyMs / 1000, score],
    "]}",
  ),
  "AlpacaEval, one document": document(
    "[",
    ({ question, reference, answer, score }) => ({
      ...{ instruction: question, output_1: reference, generator_1: "g", output_2: answer, generator_2: "m" },
      preference: 1 + score,
    }),
    "]",
  ),
  "OpenCompass, one document": (folder, name, count, log) =>
    file(folder, `${name}.json`, (put) => {
      put('{"accuracy":70,"details":{"type":"GEN"')
      for (const { i, question, reference, answer, score } of logged(count, log)) {
        const row = { prompt: question, origin_prediction: answer, predictions: reference, references: reference }
        put(`,"${i}":${JSON.stringify({ ...row, correct: score === 1 })}`)
      }
      put("}}")
    }),
}

/** A run folder: what was asked and answered, and the statistics of each instance. */
function writeHelm(folder: string, name: string, count: number, log: 0 | 1): string {
  mkdirSync(join(folder, name))
  const at = (text: string) => join(name, text)
  const state = document(
    '{"adapter_spec":{"model":"org/m"},"request_states":[',
    ({ i, question, reference, answer, latencyMs }) => ({
      instance: {
        ...{ id: `id${i}`, split: "test", input: { text: question } },
        references: [{ output: { text: reference }, tags: ["correct"] }],
      },
      ...{ train_trial_index: 0, request: { model: "org/m", prompt: `Q: ${question}\nA:` } },
      result: {
        ...{ success: true, cached: false, request_time: latencyMs / 1000 },
        completions: [{ text: answer, logprob: 0, tokens: [], finish_reason: { reason: "stop" } }],
      },
    }),
    "]}",
  )
  const stat = (name: string, mean: number) => ({ name: { name, split: "test" }, count: 1, sum: mean, mean })
  const stats = document(
    "[",
    ({ i, score }) => ({
      ...{ instance_id: `id${i}`, train_trial_index: 0 },
      stats: [stat("exact_match", score), stat("num_prompt_tokens", 90), stat("num_output_tokens", 160)],
    }),
    "]",
  )
  state(folder, at("scenario_state"), count, log)
  stats(folder, at("per_instance_stats"), count, log)
  return name
}

/** A zip with an entry for each sample, deflated; with the end records of Zip64, which more than 65,535 entries need. */
function writeEval(folder: string, name: string, count: number, log: 0 | 1): string {
  return file(folder, `${name}.eval`, (put) => {
    const central: Buffer[] = []
    let offset = 0
    const entry = (path: string, value: object) => {
      const data = Buffer.from(JSON.stringify(value))
      const packed = deflateRawSync(data, { level: 6 })
      const facts = Buffer.alloc(26)
      facts.writeUInt16LE(20, 0)
      facts.writeUInt16LE(0x800, 2)
      facts.writeUInt16LE(8, 4)
      facts.writeUInt32LE(crc32(data), 10)
      facts.writeUInt32LE(packed.length, 14)
      facts.writeUInt32LE(data.length, 18)
      facts.writeUInt16LE(path.length, 22)
      const tail = Buffer.alloc(14)
      tail.writeUInt32LE(offset, 10)
      for (const part of [Buffer.from("PK\u0003\u0004", "latin1"), facts, Buffer.from(path), packed]) put(part)
      central.push(Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), facts, tail, Buffer.from(path))
      offset += 30 + path.length + packed.length
    }
    entry("_journal/start.json", header)
    for (const item of logged(count, log)) entry(`samples/${item.i}_epoch_1.json`, inspectSample(item))
    entry("header.json", header)
    const directory = Buffer.concat(central)
    put(directory)
    const entries = BigInt(count + 2)
    const end = Buffer.alloc(56 + 20 + 22)
    end.write("PK\u0006\u0006", 0, "latin1")
    end.writeBigUInt64LE(44n, 4)
    end.writeUInt16LE(45, 12)
    end.writeUInt16LE(45, 14)
    end.writeBigUInt64LE(entries, 24)
    end.writeBigUInt64LE(entries, 32)
    end.writeBigUInt64LE(BigInt(directory.length), 40)
    end.writeBigUInt64LE(BigInt(offset), 48)
    end.write("PK\u0006\u0007", 56, "latin1")
    end.writeBigUInt64LE(BigInt(offset + directory.length), 64)
    end.writeUInt32LE(1, 72)
    end.write("PK\u0005\u0006", 76, "latin1")
    end.fill(0xff, 84, 96)
    put(end)
  })
}
