import { basename } from "node:path"
import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignLog, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import { createOccasions, type Occasions } from "../occasions.ts"
import type { RowReader } from "../row-reader.ts"

/** Whether a row of a Parquet file is one of lighteval's details: of today (`doc`, `metric`, `model_response`) or before. */
export function isLightevalRow(row: JsonObject): boolean {
  const isNew = objectOf(row.doc) !== undefined && objectOf(row.metric) !== undefined && "model_response" in row
  return isNew || ("full_prompt" in row && "predictions" in row && objectOf(row.metrics) !== undefined)
}

/** Details that lighteval keeps of a task (`details_TASK_DATE.parquet`): a row a sample, with its prompt, its predictions and its metrics. */
export function lightevalLog(path: string, given: string, read: RowReader): ForeignLog {
  const [, task, date] = /^details_(.+?)_(\d{4}-\d{2}-\d{2}T[\d-.:]+)\.parquet$/.exec(basename(path)) ?? []
  return {
    tool: "lighteval",
    file: given,
    dataset: task ?? "lighteval",
    startedAt: startOf(date),
    metrics: new Map(),
    notes: ["the file names no model and no direction of its metrics: more is taken for better"],
    async *records() {
      const occasions = createOccasions()
      for await (const one of read(path, given)) yield "row" in one ? recordOf(one.row, one.where, occasions) : one
    },
  }
}

/** `2025-11-02T10-11-12.5`: colons are no part of a file's name. */
function startOf(date: string | undefined): string | null {
  const [day, time] = (date ?? "").split("T")
  const at = Date.parse(`${day}T${(time ?? "").replace(/-/g, ":")}Z`)
  return Number.isFinite(at) ? new Date(at).toISOString() : null
}

function recordOf(row: JsonObject, where: string, occasions: Occasions): ForeignRecord | SkippedRow {
  const doc = objectOf(row.doc) ?? row
  const prompt = textOf(doc.query) ?? textOf(row.full_prompt) ?? textOf(row.example)
  if (prompt === undefined) return { where, field: "doc.query", reason: "the row has no prompt" }
  const choices = textsOf(doc.choices)
  const gold = textsOf(row.gold)
  const references = gold.length > 0 ? gold : places(doc.gold_index).flatMap((place) => choices[place] ?? [])
  const key = contentHash([prompt, [...choices], [...references]], 16)
  const response = row.model_response
  const predictions =
    textsOf(member(response, "text")).length > 0 ? textsOf(member(response, "text")) : textsOf(row.predictions)
  return {
    variant: "model",
    sample: foreignSample({ id: key, input: prompt, references, choices, metadata: {} }),
    repeat: occasions.next(key),
    answer: foreignAnswer({ text: (predictions[0] ?? "").trim() }, "lighteval"),
    scores: scoresOf(objectOf(row.metric) ?? objectOf(row.metrics) ?? {}),
    where,
  }
}

function places(value: JsonValue | undefined): readonly number[] {
  const one = numberOf(value)
  return one !== undefined ? [one] : listOf(value).flatMap((place) => numberOf(place) ?? [])
}

/** Figures of the row; parts of a corpus metric are lists, and no score of a row. */
function scoresOf(metrics: JsonObject): Record<string, ForeignScore> {
  const scores = Object.entries(metrics).flatMap(([name, value]): [string, ForeignScore][] => {
    const score = numberOf(value)
    if (score !== undefined) return [[name, score]]
    return value === null ? [[name, { reason: "lighteval has no number for it" }]] : []
  })
  return Object.fromEntries(scores)
}
