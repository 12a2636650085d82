import type { ForeignTool } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { countOf, listOf, member, numberOf, objectOf, textOf } from "../fields.ts"
import type { LoadLog, LoadLogLevel } from "./load-log.ts"

/** A summary of a load tool: figures by its own definitions, without requests. */
interface Summary {
  readonly tool: ForeignTool
  readonly name: string
  /** What would give evalkit's figures. */
  readonly note?: string
  is(document: JsonObject): boolean
  level(document: JsonObject): Partial<LoadLogLevel> & { readonly figures: JsonValue | undefined }
  model?(document: JsonObject): JsonValue | undefined
}

/** Facts: each tool's own documentation and sources of its report. */
const summaries: readonly Summary[] = [
  {
    tool: "inference-perf",
    name: "inference-perf",
    note: "report.request_lifecycle.per_request: true",
    is: (document) => "load_summary" in document && "successes" in document,
    level: (document) => ({
      figures: { load: document.load_summary ?? null, successes: document.successes ?? null },
      concurrency: numberOf(member(document.load_summary, "concurrency")) ?? null,
      rate: numberOf(member(document.load_summary, "requested_rate")) ?? null,
      counts: counted(member(document.successes, "count"), member(document.failures, "count")),
    }),
  },
  {
    tool: "llmperf",
    name: "LLMPerf",
    note: "its file of individual responses",
    is: (document) => "results_inter_token_latency_s_quantiles_p50" in document || isNested(document),
    level: (document) => ({
      figures: isNested(document) ? (document.results ?? null) : withoutPrefix(document),
      concurrency: numberOf(document.num_concurrent_requests) ?? null,
      counts: counted(
        document.results_num_completed_requests ?? member(document.results, "num_completed_requests"),
        document.results_number_errors ?? member(document.results, "number_errors"),
      ),
    }),
    model: (document) => document.model,
  },
  {
    tool: "k6",
    name: "k6",
    is: (document) =>
      ("root_group" in document && objectOf(document.metrics) !== undefined) || isNamedMetrics(document),
    level: (document) => {
      const metrics = isNamedMetrics(document) ? byName(member(document.results, "metrics")) : document.metrics
      const of = (metric: string, name: string) =>
        member(metrics, metric, name) ?? member(metrics, metric, "values", name)
      const [all, share] = [
        countOf(of("http_reqs", "count") ?? null),
        numberOf(of("http_req_failed", "value") ?? of("http_req_failed", "rate")),
      ]
      const failed = Math.round((all ?? 0) * (share ?? 0))
      return {
        figures: metrics,
        concurrency: numberOf(of("vus_max", "value")) ?? null,
        ...(all !== null && { counts: { requests: all, answered: all - failed } }),
      }
    },
  },
]

/** The summary of a load tool that keeps no request in it; null for any other document. */
export function summaryLog(document: JsonObject, file: string): LoadLog | null {
  const summary = summaries.find(({ is }) => is(document))
  if (!summary) return null
  const { figures, ...level } = summary.level(document)
  return statedLog(
    { ...summary, model: textOf(summary.model?.(document)) },
    [{ ...level, stated: flat(figures) }],
    file,
  )
}

/** Rows of `llama-bench -o json`: tokens a second of prompts and of generation, of a length each. */
export function isLlamaBench(row: JsonObject): boolean {
  return "n_prompt" in row && "n_gen" in row && "avg_ts" in row
}

/** A level for each model and setting; tests of one length come several times where the tool was told so, and are numbered. */
export function llamaBenchLog(rows: readonly JsonValue[], file: string): LoadLog {
  const stated = new Map<string, number>()
  for (const row of rows) {
    const [prompt, generated, depth] = ["n_prompt", "n_gen", "n_depth"].map((name) => numberOf(member(row, name)) ?? 0)
    const length = [prompt ? `pp${prompt}` : "", generated ? `tg${generated}` : "", depth ? `d${depth}` : ""]
    const test = `${textOf(member(row, "model_type")) ?? "model"} ${length.filter((part) => part !== "").join("+")} (tokens/s)`
    const value = numberOf(member(row, "avg_ts"))
    let name = test
    for (let i = 2; stated.has(name); i++) name = `${test}, result ${i}`
    if (value !== undefined) stated.set(name, value)
  }
  return statedLog(
    { tool: "llama-bench", name: "llama-bench", model: textOf(member(rows[0], "model_filename")) },
    [{ stated: Object.fromEntries(stated), concurrency: 1 }],
    file,
  )
}

/** Whether a text is the summary of MLPerf's LoadGen (`mlperf_log_summary.txt`). */
export function isLoadgen(start: string): boolean {
  return start.includes("MLPerf Results Summary")
}

/** Its lines of `name : number`, under the scenario. */
export function loadgenLog(text: string, file: string): LoadLog {
  const lines = [...text.matchAll(/^(.+?)\s*:\s*(\S+)\s*$/gm)].map(
    ([, name = "", value = ""]) => [name.trim(), value] as const,
  )
  const stated = lines
    .filter(([, value]) => Number.isFinite(Number(value)))
    .map(([name, value]) => [name.slice(0, 100), Number(value)] as const)
  const named = (name: string) => lines.find(([key]) => key === name)?.[1]
  const result = named("Result is")
  const log = statedLog(
    { tool: "loadgen", name: "LoadGen", model: named("SUT name") },
    [{ stated: Object.fromEntries(stated) }],
    file,
  )
  return result === undefined || result === "VALID"
    ? log
    : { ...log, notes: [...log.notes, `LoadGen calls its result ${result}`] }
}

/** A log of figures, without requests. */
export function statedLog(
  { tool, name, note, model }: Pick<Summary, "tool" | "name" | "note"> & { readonly model?: string | undefined },
  levels: readonly (Partial<LoadLogLevel> & Pick<LoadLogLevel, "stated">)[],
  file: string,
): LoadLog {
  return {
    tool,
    name,
    file,
    model: model ?? "model",
    isSummary: true,
    levels: levels.map((level) => ({ concurrency: null, rate: null, hasGaps: false, hasStarts: false, ...level })),
    notes: [`a summary: figures are ${name}'s own${note === undefined ? "" : `. For evalkit's: ${note}`}`],
    async *requests() {},
  }
}

/** Requests of a summary; unknown where it does not count them. */
export function counted(answered: JsonValue | undefined, failed: JsonValue | undefined): LoadLogLevel["counts"] {
  const [done, lost] = [countOf(answered ?? null), countOf(failed ?? null)]
  return done === null ? undefined : { requests: done + (lost ?? 0), answered: done }
}

/** k6 with `--new-machine-readable-summary`: a list of metrics, each with its name and values. */
function isNamedMetrics({ metadata, results }: JsonObject): boolean {
  return member(metadata, "k6Version") !== undefined && Array.isArray(member(results, "metrics"))
}

function byName(metrics: JsonValue | undefined): JsonObject {
  return Object.fromEntries(
    listOf(metrics).map((metric) => [textOf(member(metric, "name")) ?? "", member(metric, "values") ?? null]),
  )
}

/** LLMPerf writes its results flat, or as an object where another program wrote its metadata. */
function isNested(document: JsonObject): boolean {
  return member(document.results, "inter_token_latency_s", "quantiles") !== undefined
}

function withoutPrefix(document: JsonObject): JsonObject {
  const own = Object.entries(document).filter(([name]) => name.startsWith("results_"))
  return Object.fromEntries(own.map(([name, value]) => [name.slice("results_".length), value]))
}

/** Numbers of an object by their paths, four levels deep. */
function flat(value: JsonValue | undefined, path = "", depth = 4): Record<string, number> {
  const entries = Object.entries(objectOf(value) ?? {}).flatMap(([name, entry]): [string, number][] => {
    const at = path === "" ? name : `${path}.${name}`
    if (typeof entry === "number") return [[at.slice(0, 100), entry]]
    return depth > 0 ? Object.entries(flat(entry, at, depth - 1)) : []
  })
  return Object.fromEntries(entries)
}
