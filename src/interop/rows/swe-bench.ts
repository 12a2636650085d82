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

/** Whether a document is a report of an evaluation, or that of single instances (`report.json`). */
export function isSweBench(document: JsonObject): boolean {
  return (
    (Array.isArray(document.resolved_ids) && Array.isArray(document.unresolved_ids)) || instancesOf(document).length > 0
  )
}

/** Instances of a report, resolved or not: an empty patch or an error of the evaluation is a failure. */
export function sweBenchLog(file: JsonDocument, document: JsonObject): ForeignLog {
  const submitted = new Set(textsOf(document.submitted_ids))
  const open = [...textsOf(document.incomplete_ids)].filter((id) => !submitted.has(id)).length
  // From version 5 on, what the environment spoiled is among the unresolved and the errors, and listed a second time.
  const spoiled = new Set(textsOf(document.infra_failure_ids))
  const states = (["resolved", "unresolved", "empty_patch", "error"] as const).flatMap((state) =>
    textsOf(document[`${state}_ids`]).map((id): JsonObject => ({ id, state: spoiled.has(id) ? "spoiled" : state })),
  )
  const rows = states.length > 0 ? states : instancesOf(document)
  return rowsLog(
    madeRows(rows, file),
    {
      ...{ tool: "swe-bench", dataset: "swe-bench", isUniform: true },
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
