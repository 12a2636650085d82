import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { importJson, readAll } from "./support.ts"

const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n")

describe("benchmarks", () => {
  it("LiveCodeBench: each output of a question is a repeat, with its own grade", async () => {
    const folder = join(scratchDirectory(), "model-x")
    mkdirSync(folder)
    const row = { question_id: "1", question_content: "q", platform: "p", "pass@1": 0.5, metadata: [] }
    writeFileSync(
      join(folder, "Scenario.codegeneration_2_0.2_eval_all.json"),
      JSON.stringify([{ ...row, output_list: ["a", "b"], code_list: ["a", "b"], graded_list: [true, false] }]),
    )
    const { log, records } = await readAll(join(folder, "Scenario.codegeneration_2_0.2_eval_all.json"))
    expect(log?.tool).toBe("livecodebench")
    expect(records.map(({ variant, repeat, answer, scores }) => [variant, repeat, answer?.text, scores.pass])).toEqual([
      ["model-x", 0, "a", 1],
      ["model-x", 1, "b", 0],
    ])
  })

  it("BFCL: what the score file does not name was right, and two files of different runs are refused", async () => {
    const folder = scratchDirectory()
    const at = (kind: "result" | "score") => join(folder, kind, "model-x", "live", `BFCL_v4_live_simple_${kind}.json`)
    for (const kind of ["result", "score"]) mkdirSync(join(folder, kind, "model-x", "live"), { recursive: true })
    const results = [1, 2, 3].map((i) => ({
      id: `live_simple_${i}`,
      result: [{ f: "{}" }],
      latency: 0.5,
      input_token_count: 7,
    }))
    writeFileSync(at("result"), lines(...results))
    const alone = await readAll(at("result"))
    expect([alone.records[0]?.scores, alone.log?.notes[0]]).toEqual([{}, expect.stringContaining("have no scores")])
    const head = { accuracy: 2 / 3, correct_count: 2, total_count: 3 }
    writeFileSync(at("score"), lines(head, { id: "live_simple_2", valid: false, error: ["x"] }))
    for (const kind of ["result", "score"] as const) {
      const { records } = await readAll(at(kind))
      expect(records.map(({ variant, scores }) => [variant, scores.valid])).toEqual([
        ["model-x", 1],
        ["model-x", 0],
        ["model-x", 1],
      ])
      expect(records[0]?.answer).toMatchObject({ usage: { promptTokens: 7 }, log: { endMs: 500 } })
    }
    writeFileSync(at("score"), lines({ ...head, total_count: 4 }))
    await expect(readAll(at("score"))).rejects.toThrow(/count 4 answers, and the results hold 3/)
  })

  it("MLflow's mlruns: each table is named by its run", async () => {
    const root = scratchDirectory()
    const folder = join(root, "mlruns", "1", "r", "artifacts")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(root, "mlruns", "1", "r", "meta.yaml"), "run_id: r\nrun_name: 'gpt-x at 0'\n")
    writeFileSync(
      join(folder, "eval_results_table.json"),
      JSON.stringify({ columns: ["inputs", "outputs", "exact_match/v1/score"], data: [["q", "a", 1]] }),
    )
    const { records } = await readAll(join(root, "mlruns"))
    expect(records.map(({ variant, scores }) => [variant, scores])).toEqual([["gpt-x at 0", { "exact_match/v1": 1 }]])
  })

  it("MLflow's genai.evaluate(): feedback is its own reading of it, an expectation is a reference, an empty answer is empty", async () => {
    const trace = (i: number, answer: string | null, feedback: readonly object[]) => ({
      info: {
        ...{ trace_id: `tr-${i}`, state: answer === null ? "ERROR" : "OK", execution_duration_ms: 20 + i },
        trace_metadata: {
          ...(i > 1 && { "mlflow.sourceRun": "1e5" }),
          "mlflow.trace.tokenUsage": JSON.stringify({ input_tokens: 7, output_tokens: 2, total_tokens: 9 }),
        },
        assessments: [{ assessment_name: "expected_response", expectation: { value: "4" } }, ...feedback],
      },
      data: {
        spans: [
          { parent_span_id: "s", attributes: { "mlflow.spanInputs": '"inner"' } },
          {
            parent_span_id: null,
            ...(answer === null && { status: { code: "STATUS_CODE_ERROR", message: "HTTP 400" } }),
            attributes: {
              "mlflow.spanInputs": JSON.stringify({ question: `${i}) 2 + 2?` }),
              ...(answer !== null && { "mlflow.spanOutputs": JSON.stringify(answer) }),
            },
          },
        ],
      },
    })
    const value = (assessment_name: string, value: unknown, more = {}) => ({
      assessment_name,
      feedback: { value },
      ...more,
    })
    const traces = [
      trace(1, "4", [
        value("exact", false, { valid: false }),
        value("exact", true, { metadata: { "mlflow.assessment.sourceRunId": "1e5" } }),
        value("rude", "No"),
        value("tone", "warm"),
      ]),
      trace(2, "", [
        value("exact", false),
        { assessment_name: "rude", feedback: { value: null, error: { error_message: "the scorer fell" } } },
      ]),
      trace(3, null, []),
    ]
    const folder = scratchDirectory()
    const rows = traces.map((own) => ({ trace_id: own.info.trace_id, "exact/value": true, trace: JSON.stringify(own) }))
    const table = { columns: Object.keys(rows[0] ?? {}), data: rows.map((row) => Object.values(row)) }
    const columns = traces.map(({ info: { execution_duration_ms, ...info }, data }) => ({
      ...{ ...info, execution_duration: execution_duration_ms, spans: data.spans, request: "preview" },
      ...{ "exact/value": true, response: "preview" },
    }))
    const bare = { columns: Object.keys(columns[0] ?? {}), data: columns.map((row) => Object.values(row)) }
    const texts = [
      ...[lines(...columns), JSON.stringify(columns), JSON.stringify(bare)],
      lines(...rows),
      JSON.stringify(rows),
      JSON.stringify(table),
      lines(...traces),
      JSON.stringify(traces),
    ]
    for (const [i, text] of texts.entries()) {
      writeFileSync(join(folder, `${i}.json`), text)
      const { log, records } = await readAll(join(folder, `${i}.json`))
      expect(log?.tool).toBe("mlflow")
      expect(records).toMatchObject([
        {
          ...{ variant: "1e5", sample: { input: "1) 2 + 2?", references: ["4"] } },
          answer: { text: "4", outcome: "ok", usage: { promptTokens: 7, completionTokens: 2 }, log: { endMs: 21 } },
          scores: { exact: 1, rude: 0, tone: { reason: expect.stringContaining("label") } },
        },
        { answer: { text: "", outcome: "empty" }, scores: { exact: 0, rude: { reason: "the scorer fell" } } },
        { answer: { outcome: "application_error", failure: { message: "HTTP 400" } }, scores: {} },
      ])
    }
    mkdirSync(join(folder, "mlruns/1/traces/tr-1"), { recursive: true })
    writeFileSync(join(folder, "mlruns/1/traces/tr-1/trace_info.yaml"), "trace_id: tr-1\n")
    await expect(importJson(folder, "mlruns")).rejects.toThrow(/holds traces of MLflow.*search_traces/)
  })
})
