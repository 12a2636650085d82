import { readdir, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { UsageError } from "../core/errors.ts"
import type { ForeignLog } from "../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import { byText } from "../stats/order.ts"
import { firstBytes, firstLines } from "./beginning.ts"
import { deepevalLog, isDeepeval } from "./deepeval/deepeval.ts"
import { everyEvalEver, everyEvalEverLog, isAggregate } from "./every-eval-ever/every-eval-ever.ts"
import { listOf, objectOf } from "./fields.ts"
import { helmLog } from "./helm/helm.ts"
import { inspectJson, inspectZip, isInspectLog } from "./inspect/inspect.ts"
import { jsonDocument } from "./json-file.ts"
import { lighteval } from "./lighteval/lighteval.ts"
import { isLmEvalResults, lmEval, lmEvalFolder } from "./lm-eval/lm-eval.ts"
import { mtBench } from "./mt-bench/mt-bench.ts"
import { openaiEvals } from "./openai-evals/openai-evals.ts"
import { otlpLog } from "./otlp/otlp.ts"
import { protobufFraming } from "./otlp/protobuf.ts"
import { isTraceRequest } from "./otlp/span.ts"
import { isPromptfoo, promptfoo, promptfooDocument } from "./promptfoo/promptfoo.ts"
import { ragas } from "./ragas/ragas.ts"
import { firstRow, listedRows, type RowFile, type RowFormat, type RowReaders, rowFile } from "./row-format.ts"
import { alpacaEval } from "./rows/alpaca-eval.ts"
import { bfcl } from "./rows/bfcl.ts"
import { braintrust } from "./rows/braintrust.ts"
import { evalscope } from "./rows/evalscope.ts"
import { isLangfuseTrace, langfuse, langfuseTrace } from "./rows/langfuse.ts"
import { langsmith } from "./rows/langsmith.ts"
import { litellm } from "./rows/litellm.ts"
import { livecodebench } from "./rows/livecodebench.ts"
import { isMlflowTable, mlflowTableLog } from "./rows/mlflow-table.ts"
import { openaiCompletions } from "./rows/openai-completions.ts"
import { isOpencompass, opencompassLog } from "./rows/opencompass.ts"
import { phoenix } from "./rows/phoenix.ts"
import { isSweBench, sweBenchLog, sweBenchPredictions } from "./rows/swe-bench.ts"
import { isTauSimulations, tauBench, tauSimulations } from "./rows/tau-bench.ts"
import { unpacked } from "./unpacked.ts"

/**
 * Finds out by what is in it which tool wrote a file or folder, whatever its name, and opens it.
 *
 * @param packed absolute; what is packed is unpacked into a temporary folder
 * @param given the path as a person gave it, for messages
 * @param readers of tables; null: Parquet and CSV are not looked at
 * @returns null for what no tool that is known here wrote: a plain table of rows, an archive of evalkit's own
 * @throws {UsageError} for a file of a known tool that cannot be read
 */
export async function openForeignLog(
  packed: string,
  given: string,
  readers: RowReaders | null = null,
): Promise<ForeignLog | null> {
  const path = await unpacked(packed, given)
  const found = await stat(path)
  if (found.isDirectory()) return (await ownFolderLog(path, given)) ?? loneLog(path, given, readers)
  if (!found.isFile() || found.size === 0) return null
  const head = await firstBytes(path)
  if (head.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return inspectZip(path, given)
  if (head.subarray(0, 4).toString("latin1") === "PAR1")
    return readers && tableLog({ path, given, rows: () => readers.parquet(path, given) })
  const framing = protobufFraming(head, found.size)
  if (framing) return otlpLog(path, given, framing)
  const start = head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart()
  if (start.startsWith("[")) return listLog(start, path, given)
  if (!start.startsWith("{"))
    return readers && tableHead.test(start) ? tableLog({ path, given, rows: () => readers.csv(path, given) }) : null
  const lines = await firstLines(path, given)
  if (!lines)
    return documents.some((name) => start.includes(`"${name}"`))
      ? wholeLog(await jsonDocument(path, given), path, given)
      : null
  if (isTraceRequest(lines.first)) return otlpLog(path, given, "lines")
  const format = formatOf(lines.first)
  if (format) return format.open(await rowFile(path, given))
  return lines.isOne ? wholeLog(lines.first, path, given) : null
}

/** What rows may be, by the first of them. */
const rowFormats: readonly RowFormat[] = [
  ...[lmEval, everyEvalEver, promptfoo, openaiEvals, lighteval, evalscope, mtBench, sweBenchPredictions, tauBench],
  ...[alpacaEval, ragas, livecodebench, bfcl, litellm, langfuse, langsmith, braintrust, phoenix, openaiCompletions],
]

/** Columns that the first line of a table of a known tool has. */
const tableHead = /^[^\r\n]*(?:user_input|contexts|call_type|traceId|trace_id|root_span_id|context\.span_id)/

function formatOf(row: JsonObject): RowFormat | undefined {
  return rowFormats.find((format) => format.is(row))
}

/** A folder that is one log. */
export async function ownFolderLog(path: string, given: string): Promise<ForeignLog | null> {
  const names = await readdir(path)
  if (names.includes("scenario_state.json")) return helmLog(path, given)
  const own = names.some((name) => /^(?:results|samples)_.*\.jsonl?$/.test(name))
  return own ? lmEvalFolder(path, given, null) : null
}

/** The log of a folder that holds one. @throws {UsageError} where it holds several */
async function loneLog(path: string, given: string, readers: RowReaders | null): Promise<ForeignLog | null> {
  const names = await logsIn(path, readers)
  const [name] = names
  if (name === undefined) return null
  if (names.length === 1) return openForeignLog(join(path, name), join(given, name), readers)
  const shown = names.slice(0, 6).map((one) => join(given, one))
  throw new UsageError(`the folder holds ${names.length} logs`, {
    where: given,
    hint: `name one: ${shown.join(", ")}${names.length > 6 ? " …" : ""}`,
  })
}

/** Entries of a folder that are looked at. */
const maxEntries = 5000

/**
 * The logs within a folder, by their paths in it: files, and folders that are one log; of other folders, what is in them. What cannot be read
 * is among them where its name says that it is a log of Inspect.
 */
export async function logsIn(path: string, readers: RowReaders | null, depth = 3): Promise<readonly string[]> {
  const logs: string[] = []
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries.slice(0, maxEntries).sort((a, b) => byText(a.name, b.name))) {
    const at = join(path, entry.name)
    if (entry.name.startsWith(".")) continue
    if (entry.isDirectory() && depth > 0) {
      const isLog = await ownFolderLog(at, entry.name).then(Boolean, () => true)
      if (isLog) logs.push(entry.name)
      else for (const inner of await logsIn(at, readers, depth - 1)) logs.push(join(entry.name, inner))
    } else if (entry.isFile() && /\.(?:eval|jsonl?|csv|parquet|gz|zst|zip)$/i.test(entry.name)) {
      const isLog = await openForeignLog(at, entry.name, readers).then(Boolean, () => /\.eval$/.test(entry.name))
      if (isLog) logs.push(entry.name)
    }
  }
  return logs
}

/** A table, by its first row. */
async function tableLog(file: RowFile): Promise<ForeignLog | null> {
  return (await formatOf(await firstRow(file))?.open(file)) ?? null
}

/** A document that is a list of rows. */
async function listLog(start: string, path: string, given: string): Promise<ForeignLog | null> {
  if (!listMembers.test(start)) return null
  const rows = listOf(await jsonDocument(path, given))
  return (await formatOf(objectOf(rows[0]) ?? {})?.open(listedRows(rows, path, given))) ?? null
}

/** A member that the rows of a known tool have, near the beginning of a list. */
const listMembers = new RegExp(
  `"(?:${[
    ...[
      "user_input",
      "contexts",
      "doc_id",
      "promptIdx",
      "question_id",
      "evaluation_id",
      "datasource_item",
      "instruction",
    ],
    ...["instance_id", "task_id", "sample_score", "raw_input", "call_type", "traceId", "trace_id", "run_type"],
    ...["root_span_id", "context.span_id", "example_id", "choices"],
  ].join("|")})"`,
)

/** Members that one of the documents known here has, near its beginning. */
const documents = [
  ...["eval", "results", "evaluation_results", "schema_version", "data", "evalId", "plan", "resourceSpans"],
  ...["resource_spans", "testCases", "testRunData", "test_results", "columns", "simulations", "tasks"],
  ...["origin_prompt", "details", "resolved_ids", "completed_ids", "total_instances", "patch_exists"],
  ...["events", "runs", "observations"],
]

/** A file that is one document. */
async function wholeLog(document: JsonValue, path: string, given: string): Promise<ForeignLog | null> {
  const object = objectOf(document)
  if (!object) return null
  if (isTraceRequest(object)) return otlpLog(path, given, { document })
  if (isInspectLog(object)) return inspectJson(document, given)
  if (isAggregate(object)) return everyEvalEverLog(path, given, "aggregate")
  if (isLmEvalResults(object)) return lmEvalFolder(dirname(path), given, basename(path))
  const own = documentFormats.find(([is]) => is(object))?.[1]
  return own ? own(object, path, given) : pageLog(object, path, given)
}

/** A page of rows, as services list them. */
async function pageLog(document: JsonObject, path: string, given: string): Promise<ForeignLog | null> {
  for (const name of ["data", "events", "runs"]) {
    const rows = listOf(document[name])
    const format = formatOf(objectOf(rows[0]) ?? {})
    if (format) return format.open(listedRows(rows, path, given, `${name}/`))
  }
  return null
}

type DocumentLog = (document: JsonObject, path: string, given: string) => ForeignLog | Promise<ForeignLog>

/** Documents that hold their rows. */
const documentFormats: readonly (readonly [is: (document: JsonObject) => boolean, open: DocumentLog])[] = [
  [isDeepeval, deepevalLog],
  [isPromptfoo, promptfooDocument],
  [isMlflowTable, mlflowTableLog],
  [isLangfuseTrace, langfuseTrace],
  [isTauSimulations, tauSimulations],
  [isSweBench, sweBenchLog],
  [isOpencompass, opencompassLog],
]
