import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, member, objectOf, textOf } from "../fields.ts"
import { meanByName } from "../mean-by-name.ts"
import { indexedList } from "../otlp/indexed.ts"
import { unwrapped } from "../otlp/messages.ts"
import { firstRow } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Runs of an experiment of Phoenix (`GET /v1/experiments/ID/json`), and its spans as a table (`get_spans_dataframe()` as Parquet, CSV or lines) or as
 * rows of its API (`get_spans()`, `GET /v1/projects/NAME/spans`), of which calls of models are read. Facts: Phoenix's API reference, and its guide "Export Data and Query Spans".
 */
export const phoenix: RowFormat = {
  is: (row) =>
    isRun(row) || ("span_kind" in row && ("context.span_id" in row || "span_id" in (objectOf(row.context) ?? {}))),
  open: async (file) => {
    const isUniform = isRun(await firstRow(file))
    return rowsLog(file, { tool: "phoenix", isUniform, hasScores: false }, (row, where, occasions) => {
      if (!isRun(row) && row.span_kind !== "LLM") return []
      const span = (name: string) => attributeOf(row, name)
      const facts = callFacts({
        input: isRun(row) ? row.input : (span("llm.input_messages") ?? span("input.value")),
        output: isRun(row) ? row.output : (span("llm.output_messages") ?? span("output.value")),
        start: row.start_time,
        end: row.end_time,
        promptTokens: row.prompt_token_count ?? span("llm.token_count.prompt"),
        completionTokens: row.completion_token_count ?? span("llm.token_count.completion"),
        error: row.error ?? (row.status_code === "ERROR" ? (row.status_message ?? "the call failed") : null),
      })
      const expected = callFacts({ input: null, output: row.reference_output, start: null, end: null }).text
      return rowRecord(
        {
          ...facts,
          variant: textOf(span("llm.model_name")),
          references: expected === "" ? [] : [expected],
          scores: meanByName([...annotationsOf(row), ...evaluationsOf(row)]),
        },
        "Phoenix",
        where,
        occasions,
      )
    })
  },
}

/** An attribute of a span: a column of its own in a table; in rows of the API within `attributes`, flat or nested, and lists by their indices. */
function attributeOf(row: JsonObject, name: string): JsonValue | undefined {
  const all = objectOf(unwrapped(row.attributes)) ?? {}
  const list = indexedList(new Map(Object.entries(all)), name)
  const own = row[`attributes.${name}`] ?? all[name] ?? member(all, ...name.split("."))
  return own ?? (list.length > 0 ? list : undefined)
}

function isRun(row: JsonObject): boolean {
  return "example_id" in row && "reference_output" in row && "annotations" in row
}

function annotationsOf(row: JsonObject): readonly (readonly [string, ForeignScore])[] {
  return listOf(row.annotations).flatMap((note) => {
    const name = textOf(member(note, "name"))
    return name === undefined ? [] : [[name, figureOf(member(note, "score")) ?? { reason: noScore }] as const]
  })
}

/** Evaluations of spans are columns of their own: `eval.NAME.score`. */
function evaluationsOf(row: JsonObject): readonly (readonly [string, ForeignScore])[] {
  return Object.entries(row).flatMap(([column, value]) => {
    const name = /^eval\.(.+)\.score$/.exec(column)?.[1]
    return name === undefined ? [] : [[name, figureOf(value) ?? { reason: noScore }] as const]
  })
}

const noScore = "the annotation is a label or an error, which has no mean"
