import type { ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, member, objectOf, textOf } from "../fields.ts"
import { meanByName } from "../mean-by-name.ts"
import { unwrapped } from "../otlp/messages.ts"
import { type JsonDocument, madeRows } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Observations of Langfuse, of which generations are read: exports of the table (JSON, JSONL, CSV) and rows of the API in camelCase, rows of the
 * blob storage export in snake_case. Facts: langfuse.com, "Export from UI", "Blob Storage Export Field Reference", the API's observations.
 */
export const langfuse: RowFormat = {
  is: (row) =>
    typeof row.type === "string" &&
    /^[A-Z]+$/.test(row.type) &&
    "input" in row &&
    ("traceId" in row ? "startTime" in row : "trace_id" in row && "start_time" in row),
  open: (file) =>
    rowsLog(file, { tool: "langfuse", hasScores: false }, (row, where, occasions) => {
      if (row.type !== "GENERATION") return []
      const [cost, usage] = [row.costDetails ?? row.cost_details, row.usageDetails ?? row.usage_details ?? row.usage]
      const [costs, tokens] = [unwrapped(cost), unwrapped(usage)]
      const facts = callFacts({
        input: row.input,
        output: row.output,
        start: row.startTime ?? row.start_time,
        end: row.endTime ?? row.end_time,
        firstToken: row.completionStartTime ?? row.completion_start_time,
        promptTokens: member(tokens, "input") ?? row.inputUsage ?? row.promptTokens,
        completionTokens: member(tokens, "output") ?? row.outputUsage ?? row.completionTokens,
        cost: row.calculatedTotalCost ?? row.totalCost ?? row.total_cost ?? member(costs, "total"),
        error: row.level === "ERROR" ? (row.statusMessage ?? row.status_message ?? "the call failed") : null,
      })
      const variant = textOf(row.model ?? row.providedModelName ?? row.provided_model_name)
      return rowRecord({ ...facts, variant, scores: scoresOf(row) }, "Langfuse", where, occasions)
    }),
}

/** Whether a document is a trace of Langfuse, or its download (`trace-ID.json`): observations and scores beside each other. */
export function isLangfuseTrace(document: JsonObject): boolean {
  return listOf(document.observations).some((item) => langfuse.is(objectOf(item) ?? {}))
}

/** Generations of a trace. A score of the trace as a whole is that of its last one. */
export function langfuseTrace(file: JsonDocument, document: JsonObject): ForeignLog | Promise<ForeignLog> {
  const observations = listOf(document.observations)
  const last = observations.findLast((observation) => member(observation, "type") === "GENERATION")
  const rows = observations.map((observation): JsonValue => {
    const own = listOf(document.scores).filter((score) => {
      const of = textOf(member(score, "observationId"))
      return of === undefined ? observation === last : of === textOf(member(observation, "id"))
    })
    return { ...objectOf(observation), scores: own }
  })
  return langfuse.open(madeRows(rows, file, "observations/"))
}

/** Columns of the table's export that are lists and no scores. */
const ownLists = new Set(["input", "output", "metadata", "comments", "tags", "traceTags", "toolCalls", "toolCallNames"])

/** Scores as a list of `{ name, value }`, or by name, or, in exports of the table, as columns by their names. Of several of a name, the mean. */
function scoresOf(row: JsonObject): Record<string, ForeignScore> {
  const stated = unwrapped(row.scores)
  const columns = Object.entries(row).filter(([name, value]) => !ownLists.has(name) && isScores(unwrapped(value)))
  const named: readonly (readonly [string, JsonValue | undefined])[] = Array.isArray(stated)
    ? listOf(stated).map((score) => [textOf(member(score, "name")) ?? "", member(score, "value")] as const)
    : [...Object.entries(objectOf(stated) ?? {}), ...columns]
  return meanByName(
    named.flatMap(([name, value]): [string, ForeignScore][] => {
      const several = unwrapped(value)
      const read = name === "" ? [] : Array.isArray(several) ? listOf(several) : [several]
      return read.map((score) => [name, figureOf(score) ?? { reason: "the score is a label, which has no mean" }])
    }),
  )
}

/** Numbers or words, as the export lists the scores of a name. */
function isScores(value: JsonValue | undefined): boolean {
  const list = listOf(value)
  return list.length > 0 && list.every((item) => typeof item === "number" || typeof item === "string")
}
