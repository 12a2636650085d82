import { readdir, stat } from "node:fs/promises"
import type { ForeignLog } from "../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import { firstBytes, firstLines } from "./beginning.ts"
import { deepevalLog, isDeepeval } from "./deepeval/deepeval.ts"
import { everyEvalEverLog, isAggregate, isInstance } from "./every-eval-ever/every-eval-ever.ts"
import { listOf, objectOf } from "./fields.ts"
import { helmLog } from "./helm/helm.ts"
import { inspectJson, inspectZip, isInspectLog, isInspectZip } from "./inspect/inspect.ts"
import { jsonDocument, jsonLines } from "./json-file.ts"
import { isLightevalRow, lightevalLog } from "./lighteval/lighteval.ts"
import { isLmEvalResults, isLmEvalRow, lmEvalLog } from "./lm-eval/lm-eval.ts"
import { isMtBench, mtBenchLog } from "./mt-bench/mt-bench.ts"
import { isOutputItem, isOutputItems, openaiEvalsDocument, openaiEvalsLines } from "./openai-evals/openai-evals.ts"
import { otlpLog } from "./otlp/otlp.ts"
import { protobufFraming } from "./otlp/protobuf.ts"
import { isTraceRequest } from "./otlp/span.ts"
import { isPromptfoo, isPromptfooResult, promptfooDocument, promptfooLines } from "./promptfoo/promptfoo.ts"
import { isRagasHead, isRagasRow, ragasLog } from "./ragas/ragas.ts"
import type { RowReader, RowReaders } from "./row-reader.ts"
import { openZip } from "./zip-file.ts"

/**
 * Finds out by what is in it which tool wrote a file or folder, whatever its name, and opens it.
 *
 * @param path absolute
 * @param given the path as a person gave it, for messages
 * @param readers of tables; null: Parquet and CSV are not looked at
 * @returns null for what no tool that is known here wrote: a plain table of rows, an archive of evalkit's own
 * @throws {UsageError} for a file of a known tool that cannot be read
 */
export async function openForeignLog(
  path: string,
  given: string,
  readers: RowReaders | null = null,
): Promise<ForeignLog | null> {
  const found = await stat(path)
  if (found.isDirectory()) return folderLog(path, given)
  if (!found.isFile() || found.size === 0) return null
  const head = await firstBytes(path)
  if (head.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return zipLog(path, given)
  if (head.subarray(0, 4).toString("latin1") === "PAR1") return readers && parquetLog(path, given, readers)
  const framing = protobufFraming(head, found.size)
  if (framing) return otlpLog(path, given, framing)
  const start = head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart()
  if (start.startsWith("[")) return listLog(start, path, given)
  if (!start.startsWith("{")) return readers && isRagasHead(start) ? ragasLog(path, given, readers.csv) : null
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

async function parquetLog(path: string, given: string, { parquet }: RowReaders): Promise<ForeignLog | null> {
  for await (const read of parquet(path, given)) {
    if (!("row" in read)) return null
    if (isLightevalRow(read.row)) return lightevalLog(path, given, parquet)
    return isRagasRow(read.row) ? ragasLog(path, given, parquet) : null
  }
  return null
}

/** A document that is a list of rows. */
async function listLog(start: string, path: string, given: string): Promise<ForeignLog | null> {
  if (!/"(?:user_input|contexts)"/.test(start)) return null
  const rows = listOf(await jsonDocument(path, given))
  if (!isRagasRow(objectOf(rows[0]) ?? {})) return null
  return ragasLog(path, given, async function* () {
    for (const [i, value] of rows.entries()) yield { row: objectOf(value) ?? {}, where: `${given}#${i + 1}` }
  })
}

const lineReader: RowReader = async function* (path, file) {
  for await (const line of jsonLines(path, file))
    yield "value" in line ? { row: objectOf(line.value) ?? {}, where: line.where } : line
}

/** A file of lines, by the first of them. */
function linesLog(row: JsonObject, path: string, given: string): ForeignLog | Promise<ForeignLog> | null {
  if (isLmEvalRow(row)) return lmEvalLog(path, given, "samples")
  if (isInstance(row)) return everyEvalEverLog(path, given, "instances")
  if (isPromptfooResult(row)) return promptfooLines(path, given)
  if (isTraceRequest(row)) return otlpLog(path, given, "lines")
  if (isOutputItem(row)) return openaiEvalsLines(path, given)
  if (isRagasRow(row)) return ragasLog(path, given, lineReader)
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
  "testCases",
  "test_results",
]

/** A file that is one document. */
async function wholeLog(document: JsonValue, path: string, given: string): Promise<ForeignLog | null> {
  const object = objectOf(document)
  if (!object) return null
  if (isDeepeval(object)) return deepevalLog(object, given)
  if (isTraceRequest(object)) return otlpLog(path, given, { document })
  if (isInspectLog(object)) return inspectJson(document, given)
  if (isAggregate(object)) return everyEvalEverLog(path, given, "aggregate")
  if (isLmEvalResults(object)) return lmEvalLog(path, given, "results")
  if (isPromptfoo(object)) return promptfooDocument(document, given)
  return isOutputItems(object) ? openaiEvalsDocument(document, given) : null
}
