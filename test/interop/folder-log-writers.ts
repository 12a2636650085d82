import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { parquetWriteFile } from "hyparquet-writer"
import {
  document,
  type Flat,
  flat,
  inspectSample,
  type LogWriter,
  lines,
  promptfooResult,
  text,
} from "./log-writers.ts"
import { writeZip } from "./zip-writer.ts"

const json = JSON.stringify

const bfclName = (kind: "result" | "score") => `${kind}/model-x/BFCL_v4_simple_${kind}.json`
const jsonl = (rows: readonly object[]) => `${rows.map((row) => json(row)).join("\n")}\n`

const lightevalColumns = (rows: readonly Flat[]): Readonly<Record<string, readonly unknown[]>> => ({
  doc: rows.map(({ question, reference }) => ({ query: question, choices: [reference], gold_index: [0] })),
  metric: rows.map(({ score }) => ({ em: score })),
  model_response: rows.map(() => ({ text: ["it is"] })),
})

/** Logs that are folders, archives or tables, or hold several models: their figures are held against the truth alone. */
export const folderLogWriters: Readonly<Record<string, LogWriter>> = {
  helm: {
    ...{ tool: "helm", metric: "exact_match", repeats: true, failures: true },
    write: (folder, samples) => {
      const rows = flat(samples)
      const states = rows.map(({ id, repeat, isFailed, question, reference }) => ({
        instance: {
          ...{ id: `id${id}`, split: "test", input: { text: question } },
          references: [{ output: { text: reference }, tags: ["correct"] }],
        },
        ...{ train_trial_index: repeat, request: { prompt: question } },
        result: isFailed
          ? { success: false, error: "boom", completions: [] }
          : { success: true, cached: false, request_time: 1, completions: [{ text: "it is", tokens: [] }] },
      }))
      const stats = rows.flatMap(({ id, repeat, score, isFailed }) =>
        isFailed
          ? []
          : [
              {
                ...{ instance_id: `id${id}`, train_trial_index: repeat },
                stats: [
                  { name: { name: "exact_match", split: "test" }, count: 1, sum: score, mean: score },
                  { name: { name: "num_prompt_tokens", split: "test" }, count: 1, sum: 9, mean: 9 },
                ],
              },
            ],
      )
      text(folder, "run_spec.json", json({ name: "t" }))
      text(folder, "per_instance_stats.json", json(stats))
      return dirname(
        text(folder, "scenario_state.json", json({ adapter_spec: { model: "m" }, request_states: states })),
      )
    },
  },
  "inspect, .eval": {
    ...{ tool: "inspect", metric: "match", repeats: true, failures: true },
    write: (folder, samples) => {
      mkdirSync(folder, { recursive: true })
      const header = { version: 2, status: "success", eval: { task: "t", model: "m", created: "2026-01-01T00:00:00Z" } }
      const path = join(folder, "log.eval")
      writeZip(path, [
        { name: "header.json", data: json(header) },
        ...flat(samples).map((row, i) => ({
          ...{ name: `samples/${row.id}_epoch_${row.repeat + 1}.json`, data: json(inspectSample(row)) },
          method: (["stored", "deflated", "zstandard"] as const)[i % 3] ?? "stored",
        })),
      ])
      return path
    },
  },
  lighteval: {
    ...{ tool: "lighteval", metric: "em", repeats: true, failures: false },
    write: (folder, samples) => {
      mkdirSync(folder, { recursive: true })
      const filename = join(folder, "details_t_2026-01-01T00-00-00.0.parquet")
      const columns = Object.entries(lightevalColumns(flat(samples)))
      parquetWriteFile({
        filename,
        columnData: columns.map(([name, data]) => ({ name, data: [...data], type: "JSON" })),
      })
      return filename
    },
  },
  "promptfoo, lines": {
    ...{ tool: "promptfoo", metric: "pass", repeats: true, failures: true },
    write: lines("results.jsonl", (row) => ({
      ...{ promptIdx: 0, promptId: "p", prompt: { raw: row.question, label: "{{question}}" } },
      ...promptfooResult(row),
    })),
  },
  "ragas, CSV": {
    ...{ tool: "ragas", metric: "faithfulness", repeats: true, failures: false },
    write: (folder, samples) => {
      const rows = flat(samples).map(
        ({ score, question, reference }) => `"${question}",it is,${reference},"['c']",${score}.0`,
      )
      return text(
        folder,
        "r.csv",
        `user_input,response,reference,retrieved_contexts,faithfulness\r\n${rows.join("\r\n")}\r\n`,
      )
    },
  },
  "alpaca-eval": {
    ...{ tool: "alpaca-eval", metric: "win", repeats: true, failures: false },
    write: (folder, samples) => {
      const annotations = document("annotations.json", (rows) =>
        rows.map(({ score, question, reference }) => ({
          ...{ instruction: question, output_1: reference, generator_1: "old", output_2: "it is", generator_2: "m" },
          preference: 1 + score,
        })),
      )
      return `${annotations(folder, samples)}:m`
    },
  },
  bfcl: {
    ...{ tool: "bfcl", metric: "valid", repeats: false, failures: false },
    write: (folder, samples) => {
      const rows = flat(samples)
      const head = { accuracy: 0, correct_count: 0, total_count: rows.length }
      for (const kind of ["result", "score"] as const)
        mkdirSync(dirname(join(folder, bfclName(kind))), { recursive: true })
      const failed = rows.filter(({ score }) => score === 0).map(({ id }) => ({ id: `simple_${id}`, valid: false }))
      text(folder, bfclName("score"), jsonl([head, ...failed]))
      const results = rows.map(({ id }) => ({ id: `simple_${id}`, result: "[f()]", latency: 0.5 }))
      return text(folder, bfclName("result"), jsonl(results))
    },
  },
  "tau2-bench": {
    ...{ tool: "tau-bench", metric: "reward", repeats: true, failures: true },
    write: document("tau2.json", (rows) => ({
      info: { agent_info: { llm: "m" }, environment_info: { domain_name: "retail" } },
      simulations: rows.map(({ id, repeat, score, isFailed }) => ({
        ...{ id: `${id}/${repeat}`, task_id: String(id), trial: repeat, duration: 3 },
        ...{ termination_reason: isFailed ? "agent_error" : "user_stop" },
        ...{ reward_info: isFailed ? null : { reward: score }, messages: [{ role: "assistant", content: "done" }] },
      })),
    })),
  },
}
