import { basename } from "node:path"
import type { ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { countOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { type JsonDocument, madeRows } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

/** Predictions of SWE-bench: a patch for each instance, without a score. */
export const sweBenchPredictions: RowFormat = {
  is: (row) => "instance_id" in row && "model_patch" in row,
  open: (file) =>
    rowsLog(file, { tool: "swe-bench", hasScores: false, notes: [noScores] }, (row, where, occasions) => {
      const id = textOf(row.instance_id)
      const variant = textOf(row.model_name_or_path)
      return rowRecord(
        { ...own(id), variant, text: textOf(row.model_patch) ?? "", scores: {} },
        "SWE-bench",
        where,
        occasions,
      )
    }),
}

const noScores = "predictions have no results: give the report of the evaluation (MODEL.RUN.json)"

/** Whether a document is a report of an evaluation, that of single instances (`report.json`), or predictions by instance. */
export function isSweBench(document: JsonObject): boolean {
  const isReport = Array.isArray(document.resolved_ids) && Array.isArray(document.unresolved_ids)
  const isOldReport = Array.isArray(document.resolved) && Array.isArray(document.generated)
  return isReport || isOldReport || instancesOf(document).length > 0 || predictionsOf(document).length > 0
}

/** Predictions as an object: instances and their patches (`preds.json`). */
function predictionsOf(document: JsonObject): readonly JsonObject[] {
  const all = Object.values(document).map((entry) => objectOf(entry) ?? {})
  return all.every((entry) => sweBenchPredictions.is(entry)) ? all : []
}

/** Instances of a report, resolved or not: an empty patch or an error of the evaluation is a failure. */
export function sweBenchLog(file: JsonDocument, document: JsonObject): ForeignLog | Promise<ForeignLog> {
  const predictions = predictionsOf(document)
  if (predictions.length > 0) return sweBenchPredictions.open(madeRows(predictions, file))
  const submitted = new Set(textsOf(document.submitted_ids))
  const open = [...textsOf(document.incomplete_ids)].filter((id) => !submitted.has(id)).length
  // From version 5 on, what the environment spoiled is among the unresolved and the errors, and listed a second time.
  const spoiled = new Set(textsOf(document.infra_failure_ids))
  const states = (["resolved", "unresolved", "empty_patch", "error"] as const).flatMap((state) =>
    textsOf(document[`${state}_ids`]).map((id): JsonObject => ({ id, state: spoiled.has(id) ? "spoiled" : state })),
  )
  const rows = states.length > 0 ? states : [...oldStatesOf(document), ...instancesOf(document)]
  return rowsLog(
    madeRows(rows, file),
    {
      tool: "swe-bench",
      dataset: "swe-bench",
      isUniform: true,
      metrics: new Map([["resolved", { direction: "higher", range: [0, 1] }]]),
      notes:
        open > 0
          ? [`${open} of ${countOf(document.total_instances ?? null) ?? "all"} instances were not submitted: left out`]
          : [],
    },
    (row, where, occasions) => {
      const state = textOf(row.state)
      const resolved: ForeignScore =
        state === "error"
          ? { reason: "the evaluation ended with an error", isFailure: true }
          : state === "spoiled"
            ? { reason: "the environment of the evaluation failed (infra_failure_ids)" }
            : Number(state === "resolved")
      const failed = state === "error" ? "the evaluation ended with an error" : undefined
      const variant = basename(file.path).replace(/(?:\.[^.]+)?\.json$/, "") || "model"
      // The report does not hold the patch.
      const outcome = failed === undefined ? ({ outcome: "ok" } as const) : {}
      return rowRecord(
        { ...own(textOf(row.id)), variant, ...outcome, failed, scores: { resolved } },
        "SWE-bench",
        where,
        occasions,
      )
    },
  )
}

/** A report of version 1 names what was resolved, of all patches that there were. */
function oldStatesOf(document: JsonObject): readonly JsonObject[] {
  const resolved = new Set(textsOf(document.resolved))
  const empty = textsOf(document.no_generation).map((id): JsonObject => ({ id, state: "empty_patch" }))
  const patches = textsOf(document.generated).map(
    (id): JsonObject => ({ id, state: resolved.has(id) ? "resolved" : "unresolved" }),
  )
  return [...patches, ...empty]
}

function instancesOf(document: JsonObject): readonly JsonObject[] {
  const entries = Object.entries(document)
  const isReport = (value: JsonValue) =>
    typeof member(value, "resolved") === "boolean" && member(value, "patch_exists") !== undefined
  if (entries.length === 0 || !entries.every(([, value]) => objectOf(value) && isReport(value as JsonValue))) return []
  return entries.map(([id, value]) => ({
    id,
    state: numberOf(member(value, "resolved")) === 1 ? "resolved" : "unresolved",
  }))
}

/** The id of an instance is its question, too: reports and predictions hold no other. */
function own(id: string | undefined) {
  return { input: id, ...(id !== undefined && { id }) }
}
