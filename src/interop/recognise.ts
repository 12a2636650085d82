import { readdir, stat } from "node:fs/promises"
import type { ForeignLog } from "../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import { firstBytes, firstLines } from "./beginning.ts"
import { everyEvalEverLog, isAggregate, isInstance } from "./every-eval-ever/every-eval-ever.ts"
import { objectOf } from "./fields.ts"
import { helmLog } from "./helm/helm.ts"
import { inspectJson, inspectZip, isInspectLog, isInspectZip } from "./inspect/inspect.ts"
import { jsonDocument } from "./json-file.ts"
import { isLmEvalResults, isLmEvalRow, lmEvalLog } from "./lm-eval/lm-eval.ts"
import { isMtBench, mtBenchLog } from "./mt-bench/mt-bench.ts"
import { isOutputItem, isOutputItems, openaiEvalsDocument, openaiEvalsLines } from "./openai-evals/openai-evals.ts"
import { otlpLog } from "./otlp/otlp.ts"
import { protobufFraming } from "./otlp/protobuf.ts"
import { isTraceRequest } from "./otlp/span.ts"
import { isPromptfoo, isPromptfooResult, promptfooDocument, promptfooLines } from "./promptfoo/promptfoo.ts"
import { openZip } from "./zip-file.ts"

/**
 * Finds out by what is in it which tool wrote a file or folder, whatever its name, and opens it.
 *
 * @param path absolute
 * @param given the path as a person gave it, for messages
 * @returns null for what no tool that is known here wrote: a plain table of rows, an archive of evalkit's own
 * @throws {UsageError} for a file of a known tool that cannot be read
 */
export async function openForeignLog(path: string, given: string): Promise<ForeignLog | null> {
  const found = await stat(path)
  if (found.isDirectory()) return folderLog(path, given)
  if (!found.isFile() || found.size === 0) return null
  const head = await firstBytes(path)
  if (head.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return zipLog(path, given)
  const framing = protobufFraming(head, found.size)
  if (framing) return otlpLog(path, given, framing)
  const start = head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart()
  if (!start.startsWith("{")) return null
  const lines = await firstLines(path, given)
  if (!lines)
    return documents.some((name) => start.includes(`"${name}"`))
      ? wholeLog(await jsonDocument(path, given), path, given)
      : null
  return linesLog(lines.first, path, given) ?? (lines.isOne ? wholeLog(lines.first, path, given) : null)
}

async function folderLog(path: string, given: string): Promise<ForeignLog | null> {
  const names = await readdir(path)
  if (names.includes("scenario_state.json")) return helmLog(path, given)
  const own = names.some((name) => /^(?:results|samples)_.*\.jsonl?$/.test(name))
  return own ? lmEvalLog(path, given, "folder") : null
}

async function zipLog(path: string, given: string): Promise<ForeignLog | null> {
  const zip = await openZip(path, given)
  zip.close()
  return isInspectZip(zip.names) ? inspectZip(path, given) : null
}

/** A file of lines, by the first of them. */
function linesLog(row: JsonObject, path: string, given: string): ForeignLog | Promise<ForeignLog> | null {
  if (isLmEvalRow(row)) return lmEvalLog(path, given, "samples")
  if (isInstance(row)) return everyEvalEverLog(path, given, "instances")
  if (isPromptfooResult(row)) return promptfooLines(path, given)
  if (isTraceRequest(row)) return otlpLog(path, given, "lines")
  if (isOutputItem(row)) return openaiEvalsLines(path, given)
  return isMtBench(row) ? mtBenchLog(path, given) : null
}

/** Members that one of the documents known here has, near its beginning. */
const documents = [
  "eval",
  "results",
  "evaluation_results",
  "schema_version",
  "data",
  "evalId",
  "plan",
  "resourceSpans",
  "resource_spans",
]

/** A file that is one document. */
async function wholeLog(document: JsonValue, path: string, given: string): Promise<ForeignLog | null> {
  const object = objectOf(document)
  if (!object) return null
  if (isTraceRequest(object)) return otlpLog(path, given, { document })
  if (isInspectLog(object)) return inspectJson(document, given)
  if (isAggregate(object)) return everyEvalEverLog(path, given, "aggregate")
  if (isLmEvalResults(object)) return lmEvalLog(path, given, "results")
  if (isPromptfoo(object)) return promptfooDocument(document, given)
  return isOutputItems(object) ? openaiEvalsDocument(document, given) : null
}
