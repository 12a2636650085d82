import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignLog, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { listOf, numberOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import { createOccasions, type Occasions } from "../occasions.ts"
import type { RowReader } from "../row-reader.ts"

/** Columns that are not scores: those of today, and before. */
const columns = new Set([
  ...["user_input", "response", "reference", "retrieved_contexts", "reference_contexts", "rubrics", "multi_responses"],
  ...[
    "question",
    "answer",
    "ground_truth",
    "ground_truths",
    "contexts",
    "retrieved_context_ids",
    "reference_context_ids",
  ],
  ...["index", "level_0", "Unnamed: 0", ""],
])

/** Whether a row is one of the results of Ragas, as a table has it: its question, its answer, its passages, and a score. */
export function isRagasRow(row: JsonObject): boolean {
  const isNew = "user_input" in row && "response" in row
  const isOld = "question" in row && "answer" in row && "contexts" in row
  return (
    (isNew || isOld) && Object.entries(row).some(([name, value]) => !columns.has(name) && scoreOf(value) !== undefined)
  )
}

/** Whether a CSV file begins with the columns of Ragas' results. */
export function isRagasHead(start: string): boolean {
  const names = new Set((start.split(/\r?\n/, 1)[0] ?? "").split(",").map((name) => name.replace(/^"|"$/g, "").trim()))
  const isNew = names.has("user_input") && names.has("response")
  return (
    (isNew || (names.has("question") && names.has("answer") && names.has("contexts"))) &&
    [...names].some((name) => !columns.has(name))
  )
}

/** Results of Ragas (`result.to_pandas()`), written as CSV, JSON lines or a JSON list: a row a sample, a column a metric. */
export function ragasLog(path: string, given: string, read: RowReader): ForeignLog {
  return {
    tool: "ragas",
    file: given,
    dataset: "ragas",
    startedAt: null,
    metrics: new Map(),
    notes: ["the file names no model; all metrics of Ragas are read as shares of which more is better"],
    async *records() {
      const occasions = createOccasions()
      for await (const one of read(path, given)) yield "row" in one ? recordOf(one.row, one.where, occasions) : one
    },
  }
}

function recordOf(row: JsonObject, where: string, occasions: Occasions): ForeignRecord | SkippedRow {
  const input = textOf(row.user_input ?? row.question)
  if (input === undefined) return { where, field: "user_input", reason: "the row has no question that is a text" }
  const references = textsOf(row.reference ?? row.ground_truth ?? row.ground_truths).filter((one) => one !== "")
  const id = contentHash([input, [...references]], 16)
  const scores = Object.entries(row).flatMap(([name, value]): [string, ForeignScore][] => {
    if (columns.has(name)) return []
    const score = scoreOf(value)
    if (score !== undefined) return [[name, score]]
    return value === null || value === "" || value === "nan" ? [[name, { reason: "Ragas has no score for it" }]] : []
  })
  return {
    ...{ variant: "model", where, repeat: occasions.next(id) },
    sample: foreignSample({
      id,
      input,
      references,
      context: passagesOf(row.retrieved_contexts ?? row.contexts),
      metadata: {},
    }),
    answer: foreignAnswer({ text: textOf(row.response ?? row.answer) ?? "" }, "Ragas"),
    scores: Object.fromEntries(scores),
  }
}

function scoreOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "string" && /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(value)) return Number(value)
  return typeof value === "boolean" ? Number(value) : numberOf(value)
}

/** A list; CSV holds it as Python prints it: `['a', "b"]`. What cannot be told apart is one passage. */
function passagesOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value !== "string") return listOf(value).flatMap((one) => textOf(one) ?? [])
  const inside = /^\[([\s\S]*)\]$/.exec(value.trim())?.[1]
  if (inside === undefined) return value === "" ? [] : [value]
  const parts = [...inside.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)]
  return parts.map(([, single, double]) => (single ?? double ?? "").replace(/\\n/g, "\n").replace(/\\(['"\\])/g, "$1"))
}
