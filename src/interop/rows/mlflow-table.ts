import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, numberOf, textOf, textsOf } from "../fields.ts"
import type { JsonDocument } from "../row-file.ts"
import { rowRecord, rowsLog } from "../row-format.ts"
import { mlflowTraces } from "./mlflow-traces.ts"

/** Whether a document is the table of an evaluation of MLflow (`eval_results_table.json`): its columns and its rows. */
export function isMlflowTable(document: JsonObject): boolean {
  const columns = textsOf(document.columns)
  return (
    Array.isArray(document.data) &&
    (columns.some((name) => scoreColumn.test(name)) || columns.some((name) => answerColumns.has(name)))
  )
}

/** Columns that a table of answers has; with traces, that of `mlflow.genai.evaluate()`. */
const traceColumns = new Set(["trace", "assessments"])
const answerColumns = new Set(["outputs", ...traceColumns])

const scoreColumn = /\/score$/

/** Rows of `mlflow.evaluate()`, with the scores of its metrics under their own names. */
export function mlflowTableLog(document: JsonDocument, outline: JsonObject): ForeignLog | Promise<ForeignLog> {
  const columns = textsOf(outline.columns)
  const variant = runNameOf(document.path)
  async function* rows() {
    for await (const { value, where } of document.values("data"))
      yield { row: Object.fromEntries(columns.map((name, i) => [name, listOf(value)[i] ?? null])), where }
  }
  if (columns.some((name) => traceColumns.has(name))) return mlflowTraces.open({ ...document, rows })
  return rowsLog(
    { ...document, rows },
    {
      tool: "mlflow",
      isUniform: true,
      hasScores: columns.some((name) => scoreColumn.test(name)),
      notes: [
        `the file names no ${variant === undefined ? "model and no " : ""}direction of its metrics: more is taken for better`,
      ],
    },
    (row, where, occasions) => {
      const seconds = numberOf(row.latency)
      const asked = first(row, ["inputs", "input", "question", "prompt", "request"])
      const answered = first(row, ["outputs", "output", "predictions", "prediction", "response", "answer"])
      return rowRecord(
        {
          variant,
          input: asked === undefined ? undefined : (textOf(asked) ?? JSON.stringify(asked)),
          references: textsOf(first(row, ["ground_truth", "targets", "target", "expected_response"])),
          text: textOf(answered) ?? (answered === undefined ? "" : JSON.stringify(answered)),
          ...(seconds !== undefined && { e2eMs: seconds * 1000 }),
          scores: scoresOf(row),
        },
        "MLflow",
        where,
        occasions,
      )
    },
  )
}

/** In a folder of `mlruns`, a table is an artifact of a run, whose name stands in `meta.yaml`. */
function runNameOf(path: string): string | undefined {
  const meta = join(dirname(path), "..", "meta.yaml")
  if (basename(dirname(path)) !== "artifacts" || !existsSync(meta)) return undefined
  return /^run_name: *['"]?(.+?)['"]? *$/m.exec(readFileSync(meta, "utf8"))?.[1]
}

function first(row: JsonObject, names: readonly string[]): JsonValue | undefined {
  const name = names.find((column) => row[column] !== undefined && row[column] !== null)
  return name === undefined ? undefined : row[name]
}

function scoresOf(row: JsonObject): Record<string, ForeignScore> {
  const scores = Object.entries(row).flatMap(([name, value]): [string, ForeignScore][] => {
    if (!scoreColumn.test(name)) return []
    return [[name.replace(scoreColumn, ""), figureOf(value) ?? { reason: "MLflow has no score for it" }]]
  })
  return Object.fromEntries(scores)
}
