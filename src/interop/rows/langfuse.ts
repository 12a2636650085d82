import type { ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, listOf, member, objectOf, textOf } from "../fields.ts"
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
        ...{ input: row.input, output: row.output },
        start: row.startTime ?? row.start_time,
        end: row.endTime ?? row.end_time,
        firstToken: row.completionStartTime ?? row.completion_start_time,
        promptTokens: member(tokens, "input") ?? row.inputUsage ?? row.promptTokens,
        completionTokens: member(tokens, "output") ?? row.outputUsage ?? row.completionTokens,
        cost: row.calculatedTotalCost ?? row.totalCost ?? row.total_cost ?? member(costs, "total"),
        error: row.level === "ERROR" ? (row.statusMessage ?? row.status_message ?? "the call failed") : null,
      })
      const variant = textOf(row.model ?? row.providedModelName ?? row.provided_model_name)
      return rowRecord({ ...facts, variant, scores: scoresOf(unwrapped(row.scores)) }, "Langfuse", where, occasions)
    }),
}

/** Whether a document is a trace of Langfuse, or its download (`trace-ID.json`): observations and scores beside each other. */
export function isLangfuseTrace(document: JsonObject): boolean {
  return listOf(document.observations).some((one) => langfuse.is(objectOf(one) ?? {}))
}

/** Generations of a trace. A score of the trace as a whole is that of its last one. */
export function langfuseTrace(file: JsonDocument, document: JsonObject): ForeignLog | Promise<ForeignLog> {
  const observations = listOf(document.observations)
  const last = observations.findLast((one) => member(one, "type") === "GENERATION")
  const rows = observations.map((one): JsonValue => {
    const own = listOf(document.scores).filter((score) => {
      const of = textOf(member(score, "observationId"))
      return of === undefined ? one === last : of === textOf(member(one, "id"))
    })
    return { ...objectOf(one), scores: own }
  })
  return langfuse.open(madeRows(rows, file, "observations/"))
}

/** Scores as a list of `{ name, value }`, or by name; words are labels. */
function scoresOf(scores: JsonValue | undefined): Record<string, ForeignScore> {
  const named = Array.isArray(scores)
    ? listOf(scores).map((one) => [textOf(member(one, "name")), member(one, "value")] as const)
    : Object.entries(objectOf(scores) ?? {}).map(([name, value]) => [name, listOf(value)[0] ?? value] as const)
  const read = named.flatMap(([name, value]): [string, ForeignScore][] =>
    name === undefined ? [] : [[name, figureOf(value) ?? { reason: "the score is a label, which has no mean" }]],
  )
  return Object.fromEntries(read)
}
