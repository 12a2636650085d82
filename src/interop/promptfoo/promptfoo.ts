import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignLog, ForeignRecord } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, objectOf, textOf, timeOf } from "../fields.ts"
import { jsonLines } from "../json-file.ts"
import { createOccasions } from "../occasions.ts"
import { resultRecord } from "./result.ts"
import { tableResults } from "./table.ts"

/** Whether a document holds results of promptfoo: its export, or the `results` of it. */
export function isPromptfoo(document: JsonObject): boolean {
  return resultsOf(document) !== null
}

/** Whether a line is a result of promptfoo. */
export function isPromptfooResult(row: JsonObject): boolean {
  return "promptIdx" in row && "testIdx" in row && "provider" in row
}

/** Results of promptfoo, version 3 or 2: its JSON export. */
export function promptfooDocument(document: JsonValue, given: string): ForeignLog {
  const found = resultsOf(objectOf(document) ?? {}) ?? {}
  const listed = listOf(found.results)
  const results = listed.length > 0 ? listed : tableResults(found.table)
  const prompts = new Set(results.map((one) => promptOf(one)))
  const description = textOf(member(document, "config", "description"))
  return log(given, description, timeOf(found.timestamp), async function* () {
    const context = { severalPrompts: prompts.size > 1, occasions: createOccasions() }
    for (const [i, result] of results.entries()) yield resultRecord(result, `${given}#results/${i}`, context)
  })
}

/** Results of promptfoo as lines (`--output results.jsonl`). */
export async function promptfooLines(path: string, given: string): Promise<ForeignLog> {
  const prompts = new Set<string>()
  for await (const line of jsonLines(path, given)) if ("value" in line) prompts.add(promptOf(line.value))
  return log(given, undefined, null, async function* () {
    const context = { severalPrompts: prompts.size > 1, occasions: createOccasions() }
    for await (const line of jsonLines(path, given))
      if ("value" in line) yield resultRecord(line.value, line.where, context)
      else yield line
  })
}

function log(
  file: string,
  description: string | undefined,
  startedAt: string | null,
  records: () => AsyncIterable<ForeignRecord | SkippedRow>,
): ForeignLog {
  return {
    tool: "promptfoo",
    file,
    dataset: description ?? "promptfoo",
    startedAt,
    metrics: new Map([
      ["pass", { direction: "higher", range: [0, 1] }],
      ["score", { direction: "higher" }],
    ]),
    notes: [],
    records,
  }
}

function promptOf(result: JsonValue): string {
  return String(member(result, "promptIdx") ?? "")
}

/** `{ version, results, … }`, wherever it stands in the export; null where there is none. */
function resultsOf(document: JsonObject): JsonObject | null {
  for (const candidate of [document, objectOf(document.results)]) {
    if (!candidate) continue
    const first = listOf(candidate.results)[0]
    if (first !== undefined && isPromptfooResult(objectOf(first) ?? {})) return candidate
    if (first !== undefined && member(first, "vars") !== undefined && member(first, "provider") !== undefined)
      return candidate
    if (typeof candidate.version === "number" && member(candidate, "table", "body") !== undefined) return candidate
    if (typeof candidate.version === "number" && Array.isArray(candidate.results) && "stats" in candidate)
      return candidate
  }
  return null
}
