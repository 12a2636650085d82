import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { jsonValue } from "../../core/json-members.ts"
import { listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { unwrapped } from "../otlp/messages.ts"
import { type RowFacts, type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Traces of MLflow 3 with the assessments of `mlflow.genai.evaluate()`: its table (`result.result_df`, `mlflow.search_traces()`), which holds
 * each in a column, and their facts in others, or the traces themselves (`Trace.to_json()`). Several runs in a file are variants.
 */
export const mlflowTraces: RowFormat = {
  is: (row) => traceOf(row) !== undefined,
  open: (file) =>
    rowsLog(
      file,
      {
        tool: "mlflow",
        isUniform: true,
        hasScores: false,
        notes: ["the file names no direction of its metrics: more is taken for better"],
      },
      (row, where, occasions) => rowRecord(factsOf(traceOf(row) ?? {}), "MLflow", where, occasions),
    ),
}

function traceOf(row: JsonObject): JsonObject | undefined {
  const trace = row.trace === undefined ? (traceOfColumns(row) ?? row) : objectOf(unwrapped(row.trace))
  return textOf(member(trace, "info", "trace_id")) !== undefined && objectOf(trace?.data) ? trace : undefined
}

/** A row of the table whose column of traces was dropped: the columns beside it hold the trace's facts once more. */
function traceOfColumns(row: JsonObject): JsonObject | undefined {
  if (!Array.isArray(row.assessments)) return undefined
  const { request, response, execution_duration, spans, ...info } = row
  const previews = { request_preview: request ?? null, response_preview: response ?? null }
  return {
    info: { ...info, ...previews, execution_duration_ms: execution_duration ?? null },
    data: { spans: spans ?? [] },
  }
}

function factsOf({ info, data }: JsonObject): RowFacts {
  const root = listOf(member(data, "spans")).find((span) => (textOf(member(span, "parent_span_id")) ?? "") === "")
  // Values of attributes are JSON texts.
  const attribute = (name: string) => {
    const value = member(root, "attributes", name)
    return typeof value === "string" ? jsonValue(value, value) : value
  }
  const about = (name: string) => unwrapped(member(info, "trace_metadata", name))
  const [tokens, assessments] = [about("mlflow.trace.tokenUsage"), listOf(member(info, "assessments"))]
  const e2eMs = numberOf(member(info, "execution_duration_ms"))
  const message = textOf(member(root, "status", "message")) ?? ""
  const facts = callFacts({
    input: attribute("mlflow.spanInputs") ?? unwrapped(member(info, "request_preview")),
    output: attribute("mlflow.spanOutputs") ?? unwrapped(member(info, "response_preview")),
    start: undefined,
    end: undefined,
    promptTokens: member(tokens, "input_tokens"),
    completionTokens: member(tokens, "output_tokens"),
    cost: member(about("mlflow.trace.cost"), "total_cost"),
    error: member(info, "state") === "ERROR" ? message || "the call failed" : null,
  })
  return {
    ...facts,
    variant: evaluationOf(assessments) ?? textOf(about("mlflow.sourceRun")),
    references: referencesOf(assessments),
    ...(e2eMs !== undefined && { e2eMs }),
    scores: scoresOf(assessments),
  }
}

/** The run that evaluated a trace: the trace itself does not always name the run that it was made in. */
function evaluationOf(assessments: readonly JsonValue[]): string | undefined {
  const runs = assessments.map((assessment) => textOf(member(assessment, "metadata", "mlflow.assessment.sourceRunId")))
  return runs.find((run) => run !== undefined)
}

/** The expected response; of other expectations all of them. */
function referencesOf(assessments: readonly JsonValue[]): readonly string[] {
  const expected = assessments.filter((assessment) => member(assessment, "expectation") !== undefined)
  const own = expected.filter((item) => member(item, "assessment_name") === "expected_response")
  return (own.length > 0 ? own : expected).flatMap((item) => textsOf(member(item, "expectation", "value")))
}

/** Feedback by its name; one that was overridden is not valid any more. */
function scoresOf(assessments: readonly JsonValue[]): Record<string, ForeignScore> {
  const scores = assessments.flatMap((assessment): [string, ForeignScore][] => {
    const name = textOf(member(assessment, "assessment_name"))
    const feedback = member(assessment, "feedback")
    if (name === undefined || feedback === undefined || member(assessment, "valid") === false) return []
    return [[name, scoreOf(feedback)]]
  })
  return Object.fromEntries(scores)
}

/** MLflow's own reading: numbers, truth values, and the words yes and no. */
function scoreOf(feedback: JsonValue): ForeignScore {
  const value = member(feedback, "value")
  const score = numberOf(value) ?? (typeof value === "string" ? words.get(value.toLowerCase()) : undefined)
  if (score !== undefined) return score
  const error = textOf(member(feedback, "error", "error_message"))
  if (error !== undefined) return { reason: error.slice(0, 200) }
  const isEmpty = value === undefined || value === null
  return { reason: isEmpty ? "the feedback has no value" : "the feedback is a label, which has no mean" }
}

const words: ReadonlyMap<string, number> = new Map([
  ["yes", 1],
  ["no", 0],
])
