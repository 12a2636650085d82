import { basename, dirname, sep } from "node:path"
import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { type RowFacts, type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

/**
 * Details that lighteval keeps of a task (`details_TASK_DATE.parquet`): a row a sample, with its prompt, its predictions and its metrics, of
 * today (`doc`, `metric`, `model_response`) or before.
 */
export const lighteval: RowFormat = {
  is(row) {
    const isNew = objectOf(row.doc) !== undefined && objectOf(row.metric) !== undefined && "model_response" in row
    return isNew || ("full_prompt" in row && "predictions" in row && objectOf(row.metrics) !== undefined)
  },
  open(file) {
    const [, task, date] = /^details_(.+?)_(\d{4}-\d{2}-\d{2}T[\d-.:]+)\.parquet$/.exec(basename(file.path)) ?? []
    const model = modelOf(dirname(file.path), date)
    const notes = [
      `the file names no ${model === undefined ? "model and no " : ""}direction of its metrics: more is taken for better`,
    ]
    return rowsLog(
      file,
      { tool: "lighteval", dataset: task ?? "lighteval", startedAt: startOf(date), isUniform: true, notes },
      (row, where, occasions) => rowRecord({ ...factsOf(row), variant: model }, "lighteval", where, occasions),
    )
  },
}

/** Details lie in `details/ORG/MODEL/DATE`. */
function modelOf(folder: string, date: string | undefined): string | undefined {
  const names = folder.split(sep)
  const model = names.slice(names.lastIndexOf("details") + 1, -1)
  return names.includes("details") && names.at(-1) === date && model.length > 0 ? model.join("/") : undefined
}

/** `2025-11-02T10-11-12.5`: colons are no part of a file's name. */
function startOf(date: string | undefined): string | null {
  const [day, time] = (date ?? "").split("T")
  const at = Date.parse(`${day}T${(time ?? "").replace(/-/g, ":")}Z`)
  return Number.isFinite(at) ? new Date(at).toISOString() : null
}

function factsOf(row: JsonObject): RowFacts {
  const doc = objectOf(row.doc) ?? row
  const choices = textsOf(doc.choices)
  const gold = textsOf(row.gold)
  const texts = textsOf(member(row.model_response, "text"))
  return {
    input: textOf(doc.query) ?? textOf(row.full_prompt) ?? textOf(row.example),
    references: gold.length > 0 ? gold : indexes(doc.gold_index).flatMap((index) => choices[index] ?? []),
    choices,
    text: ((texts.length > 0 ? texts : textsOf(row.predictions))[0] ?? "").trim(),
    scores: scoresOf(objectOf(row.metric) ?? objectOf(row.metrics) ?? {}),
  }
}

function indexes(value: JsonValue | undefined): readonly number[] {
  const number = numberOf(value)
  return number !== undefined ? [number] : listOf(value).flatMap((index) => numberOf(index) ?? [])
}

/** Figures of the row; parts of a corpus metric are lists, and no score of a row. */
function scoresOf(metrics: JsonObject): Record<string, ForeignScore> {
  const scores = Object.entries(metrics).flatMap(([name, value]): [string, ForeignScore][] => {
    const score = figureOf(value)
    if (score !== undefined) return [[name, score]]
    return value === null ? [[name, { reason: "lighteval has no number for it" }]] : []
  })
  return Object.fromEntries(scores)
}
