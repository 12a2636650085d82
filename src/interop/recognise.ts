import { readdir, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { UsageError } from "../core/errors.ts"
import { type ForeignLog, isRecord } from "../core/foreign/foreign-log.ts"
import type { JsonObject } from "../core/json.ts"
import { byText } from "../stats/order.ts"
import { JsonCutter } from "../text/json-cutter.ts"
import { accessLog } from "./access/access-log.ts"
import { firstBytes } from "./beginning.ts"
import { deepevalLog, isDeepeval } from "./deepeval/deepeval.ts"
import { everyEvalEver, everyEvalEverLog, isAggregate } from "./every-eval-ever/every-eval-ever.ts"
import { listOf, member, objectOf } from "./fields.ts"
import { helmLog } from "./helm/helm.ts"
import { inspectJson, inspectZip, isInspectLog } from "./inspect/inspect.ts"
import { notJson } from "./json-file.ts"
import { lighteval } from "./lighteval/lighteval.ts"
import { isLmEvalFolder, isLmEvalResults, lmEval, lmEvalFolder } from "./lm-eval/lm-eval.ts"
import { mtBench } from "./mt-bench/mt-bench.ts"
import { createOccasions } from "./occasions.ts"
import { openaiEvals } from "./openai-evals/openai-evals.ts"
import { otlpLog } from "./otlp/otlp.ts"
import { protobufFraming } from "./otlp/protobuf.ts"
import { isTraceRequest } from "./otlp/span.ts"
import { isPromptfoo, promptfoo, promptfooDocument } from "./promptfoo/promptfoo.ts"
import { ragas } from "./ragas/ragas.ts"
import {
  firstRow,
  type JsonDocument,
  madeRows,
  openBraced,
  openDocument,
  type RowFile,
  type RowReaders,
  rowFile,
} from "./row-file.ts"
import type { RowFormat } from "./row-format.ts"
import { alpacaEval } from "./rows/alpaca-eval.ts"
import { bfcl } from "./rows/bfcl.ts"
import { braintrust } from "./rows/braintrust.ts"
import { evalscope } from "./rows/evalscope.ts"
import { helicone } from "./rows/helicone.ts"
import { isLangfuseTrace, langfuse, langfuseTrace } from "./rows/langfuse.ts"
import { langsmith } from "./rows/langsmith.ts"
import { litellm } from "./rows/litellm.ts"
import { livecodebench } from "./rows/livecodebench.ts"
import { isMlflowTable, mlflowTableLog } from "./rows/mlflow-table.ts"
import { mlflowTraces } from "./rows/mlflow-traces.ts"
import { openaiCompletions } from "./rows/openai-completions.ts"
import { isOpencompass, opencompassLog } from "./rows/opencompass.ts"
import { openrouter } from "./rows/openrouter.ts"
import { phoenix } from "./rows/phoenix.ts"
import { isSweBench, sweBenchLog, sweBenchPredictions } from "./rows/swe-bench.ts"
import { isTauSimulations, tauBench, tauSimulations } from "./rows/tau-bench.ts"
import { trafficTools } from "./sample-log.ts"
import { unpacked } from "./unpacked.ts"

/**
 * Finds out by what is in it which tool wrote a file or folder, whatever its name, and opens it.
 *
 * @param packed absolute; what is packed is unpacked into a temporary folder
 * @param file the path as a person gave it, for messages
 * @param readers of tables; null: Parquet and CSV are not looked at
 * @returns null for what no tool that is known here wrote: a plain table of rows, an archive of evalkit's own
 * @throws {UsageError} for a file of a known tool that cannot be read
 */
export async function openForeignLog(
  packed: string,
  file: string,
  readers: RowReaders | null = null,
): Promise<ForeignLog | null> {
  const path = await unpacked(packed, file)
  const stats = await stat(path)
  if (stats.isDirectory()) return (await ownFolderLog(path, file)) ?? loneLog(path, file, readers)
  if (!stats.isFile() || stats.size === 0) return null
  const head = await firstBytes(path)
  if (head.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return inspectZip(path, file)
  if (head.subarray(0, 4).toString("latin1") === "PAR1")
    return readers && tableLog({ path, file, rows: () => readers.parquet(path, file) })
  const framing = protobufFraming(head, stats.size)
  if (framing) return otlpLog(path, file, framing)
  const start = head
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart()
  if (start.startsWith("[")) return listLog(start, path, file)
  if (!start.startsWith("{")) {
    if (!readers || !tableHead.test(start)) return null
    const read = tabbedHead.test(start) ? readers.tsv : readers.csv
    return tableLog({ path, file, rows: () => read(path, file) })
  }
  const isKnown = documents.some((name) => start.includes(`"${name}"`))
  const braced = await openBraced(path, file, isKnown)
  if (!braced) return null
  const first = "document" in braced ? (objectOf(braced.document.outline) ?? {}) : braced.firstLine
  const table = "document" in braced ? await columnsLog(first, path, file) : null
  if (table) return table
  const format = formatOf(first)
  if (format) return format.open(await rowFile(path, file))
  if ("document" in braced) return documentLog(braced.document, first)
  return isTraceRequest(first) ? otlpLog(path, file, "lines") : null
}

/** What rows may be, by the first of them. */
const rowFormats: readonly RowFormat[] = [
  ...[lmEval, everyEvalEver, promptfoo, openaiEvals, lighteval, evalscope, mtBench, sweBenchPredictions, tauBench],
  ...[alpacaEval, ragas, livecodebench, bfcl, litellm, langfuse, langsmith, braintrust, phoenix, openaiCompletions],
  ...[mlflowTraces, helicone, openrouter, accessLog],
]

/** Columns that the first line of a table of a known tool has. */
const tableHead =
  /^[^\r\n]*(?:user_input|contexts|call_type|traceId|trace_id|root_span_id|context\.span_id|execution_time|run_type|request_created_at|model_permaslug)/

const tabbedHead = /^[^\r\n,]*\t/

function formatOf(row: JsonObject): RowFormat | undefined {
  return rowFormats.find((format) => format.is(row))
}

/** A folder that is one log. */
export async function ownFolderLog(path: string, file: string): Promise<ForeignLog | null> {
  const names = await readdir(path)
  if (names.includes("scenario_state.json")) return helmLog(path, file)
  return (await isLmEvalFolder(path, names)) ? lmEvalFolder(path, file, null) : null
}

/**
 * The log of a folder: of the one that it holds, or of all, where they are files of one tool that keeps calls of production.
 *
 * @throws {UsageError} where it holds several
 */
async function loneLog(path: string, file: string, readers: RowReaders | null): Promise<ForeignLog | null> {
  const names = await logsIn(path, readers)
  const [name] = names
  if (name === undefined) return null
  if (names.length === 1) return openForeignLog(join(path, name), join(file, name), readers)
  const parts = await trafficParts(path, file, names, readers)
  if (parts) return joinedLogs(parts, file)
  const shown = names.slice(0, 6).map((part) => join(file, part))
  throw new UsageError(`the folder holds ${names.length} logs`, {
    where: file,
    hint: `name one: ${shown.join(", ")}${names.length > 6 ? " …" : ""}`,
  })
}

/** The logs of a folder where they are of one tool that keeps calls of production, a day in each file, say; null where they are others. */
export async function trafficParts(
  path: string,
  file: string,
  names: readonly string[],
  readers: RowReaders | null,
): Promise<readonly ForeignLog[] | null> {
  const parts: ForeignLog[] = []
  for (const name of names) {
    const log = await openForeignLog(join(path, name), join(file, name), readers).catch(() => null)
    if (!log || !trafficTools.has(log.tool) || log.tool !== (parts[0] ?? log).tool) return null
    parts.push(log)
  }
  return parts
}

/** Logs as one, in their order: what is asked in several of them was asked again. */
function joinedLogs(parts: readonly ForeignLog[], file: string): ForeignLog {
  return {
    ...(parts[0] as ForeignLog),
    file,
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
    async *records() {
      const occasions = createOccasions()
      for (const part of parts)
        for await (const read of part.records())
          yield isRecord(read) ? { ...read, repeat: occasions.next(read.variant, read.sample.id) } : read
    },
  }
}

/** Entries of a folder that are looked at. */
const maxEntries = 5000

/**
 * The logs within a folder, by their paths in it: files, and folders that are one log; of other folders, what is in them. What is known
 * and cannot be read is among them.
 */
export async function logsIn(path: string, readers: RowReaders | null, depth = 5): Promise<readonly string[]> {
  const logs: string[] = []
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries.slice(0, maxEntries).sort((a, b) => byText(a.name, b.name))) {
    const at = join(path, entry.name)
    if (entry.name.startsWith(".")) continue
    if (entry.isDirectory() && depth > 0) {
      const isLog = await ownFolderLog(at, entry.name).then(Boolean, () => true)
      if (isLog) logs.push(entry.name)
      else for (const inner of await logsIn(at, readers, depth - 1)) logs.push(join(entry.name, inner))
    } else if (entry.isFile() && /\.(?:eval|jsonl?|har|log|csv|tsv|parquet|gz|zst|zip)$/i.test(entry.name)) {
      const isLog = await openForeignLog(at, entry.name, readers).then(Boolean, () => true)
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
async function listLog(start: string, path: string, file: string): Promise<ForeignLog | null> {
  const isRowWhole = new JsonCutter(new Set([""])).cut(start).length > 0
  if (isRowWhole && !listMembers.test(start)) return null
  const document = await openDocument(path, file)
  if (!document) throw notJson(file)
  return (await formatOf(objectOf(listOf(document.outline)[0]) ?? {})?.open(document.rows(""))) ?? null
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
    ...["root_span_id", "context.span_id", "span_kind", "example_id", "execution_time", "choices", "response_status"],
    ...["startedDateTime", "request_body", "response_code", "request_method", "latencies"],
  ].join("|")})"`,
)

/** Members that one of the documents known here has, near its beginning. */
const documents = [
  ...["eval", "results", "evaluation_results", "schema_version", "data", "evalId", "plan", "resourceSpans"],
  ...["resource_spans", "testCases", "testRunData", "test_results", "columns", "simulations", "tasks"],
  ...[
    "origin_prompt",
    "details",
    "resolved_ids",
    "completed_ids",
    "total_instances",
    "patch_exists",
    "model_patch",
    "generated",
  ],
  ...["events", "runs", "observations", "log"],
]

/** A file that is one document. */
async function documentLog(document: JsonDocument, outline: JsonObject): Promise<ForeignLog | null> {
  const { path, file } = document
  if (isTraceRequest(outline)) return otlpLog(path, file, document)
  if (isAggregate(outline)) return everyEvalEverLog(path, file, "aggregate")
  if (isLmEvalResults(outline)) return lmEvalFolder(dirname(path), file, basename(path))
  const own = documentFormats.find(([is]) => is(outline))?.[1]
  return own ? own(document, outline) : pageLog(document, outline)
}

/** A page of rows, as services list them. */
async function pageLog(document: JsonDocument, outline: JsonObject): Promise<ForeignLog | null> {
  for (const name of ["data", "events", "runs", "log/entries"] as const) {
    const format = formatOf(objectOf(listOf(member(outline, ...name.split("/")))[0]) ?? {})
    if (format) return format.open(document.rows(name))
  }
  return null
}

/** A table column by column, its cells by the names of the rows: what pandas' `to_json()` writes where it is not told otherwise. */
async function columnsLog(outline: JsonObject, path: string, file: string): Promise<ForeignLog | null> {
  const columns = Object.entries(outline)
  const names = Object.keys(objectOf(columns[0]?.[1]) ?? {})
  const isTable =
    names.length > 0 && columns.every(([, cells]) => Object.keys(objectOf(cells) ?? {}).length === names.length)
  if (!isTable) return null
  const rows = names.map(
    (row): JsonObject => Object.fromEntries(columns.map(([name, cells]) => [name, member(cells, row) ?? null])),
  )
  return (await formatOf(rows[0] as JsonObject)?.open(madeRows(rows, { path, file }))) ?? null
}

type DocumentLog = (document: JsonDocument, outline: JsonObject) => ForeignLog | Promise<ForeignLog>

/** Documents that hold their rows. */
const documentFormats: readonly (readonly [is: (outline: JsonObject) => boolean, open: DocumentLog])[] = [
  [isInspectLog, inspectJson],
  [isDeepeval, deepevalLog],
  [isPromptfoo, promptfooDocument],
  [isMlflowTable, mlflowTableLog],
  [isLangfuseTrace, langfuseTrace],
  [isTauSimulations, tauSimulations],
  [isSweBench, sweBenchLog],
  [isOpencompass, opencompassLog],
]
