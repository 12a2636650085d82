import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { SkippedRow } from "../../core/dataset.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, objectOf, textOf } from "../fields.ts"
import { jsonDocument, jsonLines, type PlacedValue } from "../json-file.ts"
import type { LoadedRequest, LoadLog, LoadLogLevel } from "./load-log.ts"
import { counted, statedLog } from "./summaries.ts"
import { failedAs, forwardTimes, timedRequest } from "./timed-request.ts"

/** Whether a line is one of AIPerf's `profile_export.jsonl`. */
export function isAiperfRecord(row: JsonObject): boolean {
  return numberOf(member(row, "metadata", "request_start_ns")) !== undefined && objectOf(row.metrics) !== undefined
}

/** Whether a document is AIPerf's `profile_export_aiperf.json`. */
export function isAiperfSummary(document: JsonObject): boolean {
  const figures = objectOf(document.records) ?? document
  return ["request_latency", "request_throughput", "time_to_first_token"].some(
    (name) => numberOf(member(figures, name, "avg")) !== undefined && typeof member(figures, name, "unit") === "string",
  )
}

/** What an AIPerf run was, as its summary says. */
interface Facts {
  readonly model: string
  readonly concurrency: number | null
  readonly rate: number | null
  readonly stated: Readonly<Record<string, number>>
  readonly counts: LoadLogLevel["counts"]
}

/** AIPerf's records, a line a request, with the load and the model that the summary beside them names. */
export async function aiperfRecords(path: string, file: string): Promise<LoadLog> {
  const beside = join(dirname(path), "profile_export_aiperf.json")
  const summary = existsSync(beside) ? await jsonDocument(beside, beside).catch(() => null) : null
  const { model, concurrency, rate, stated } = factsOf(summary)
  let firstNs = Number.POSITIVE_INFINITY
  let hasGaps = false
  for await (const line of jsonLines(path, file)) {
    if (!("value" in line) || isWarmUp(line.value)) continue
    firstNs = Math.min(firstNs, numberOf(member(line.value, "metadata", "request_start_ns")) ?? firstNs)
    hasGaps ||= listOf(member(line.value, "metrics", "inter_chunk_latency", "value")).length > 0
  }
  return {
    tool: "aiperf",
    name: "AIPerf",
    file,
    model,
    levels: [{ concurrency, rate, stated, hasGaps, hasStarts: true }],
    notes: hasGaps ? [] : ["AIPerf kept no time of each chunk: the time between tokens is not known"],
    async *requests() {
      for await (const line of jsonLines(path, file)) {
        if (!("value" in line)) yield line
        else if (!isWarmUp(line.value)) yield requestOf(line, firstNs)
      }
    },
  }
}

/** AIPerf's summary, and that of GenAI-Perf before it: its own figures, by its own definitions. */
export function aiperfSummary(document: JsonValue, file: string): LoadLog {
  const { model, ...level } = factsOf(document)
  const isBefore = member(document, "input_config", "perf_analyzer") !== undefined
  const tool = isBefore
    ? ({ tool: "genai-perf", name: "GenAI-Perf", note: "its requests (profile_export.json)" } as const)
    : ({ tool: "aiperf", name: "AIPerf", note: "its records (profile_export.jsonl)" } as const)
  return statedLog({ ...tool, model }, [level], file)
}

function requestOf({ value, where }: PlacedValue, firstNs: number): LoadedRequest | SkippedRow {
  const start = numberOf(member(value, "metadata", "request_start_ns"))
  if (start === undefined) return { where, field: "metadata.request_start_ns", reason: "the record says no start" }
  const ttftMs = milliseconds(member(value, "metrics", "time_to_first_token"))
  const error = objectOf(member(value, "error"))
  const isCancelled = member(value, "metadata", "was_cancelled") === true
  const message = textOf(error?.message) ?? textOf(error?.type) ?? (isCancelled ? "cancelled" : "failed")
  const gaps = listOf(member(value, "metrics", "inter_chunk_latency", "value")).map(Number)
  const factor = unitMs(member(value, "metrics", "inter_chunk_latency", "unit"))
  return {
    level: 0,
    where,
    answer: timedRequest({
      startMs: (start - firstNs) / 1e6,
      ttftMs,
      e2eMs: milliseconds(member(value, "metrics", "request_latency")) ?? spanMs(value),
      chunksMs: ttftMs === null ? [] : chunks(ttftMs, gaps, factor),
      promptTokens: countAt(value, "input_sequence_length"),
      completionTokens: countAt(value, "output_sequence_length") ?? countAt(value, "output_token_count"),
      ...((error || isCancelled) && {
        failure: {
          outcome: isCancelled ? "cancelled" : failedAs(numberOf(error?.code), `${textOf(error?.type)} ${message}`),
          message,
        },
      }),
    }),
  }
}

function chunks(ttftMs: number, gaps: readonly number[], factor: number): readonly number[] {
  let atMs = ttftMs
  return gaps.length === 0 ? [] : forwardTimes([ttftMs, ...gaps.map((gap) => (atMs += gap * factor))])
}

function spanMs(value: JsonValue): number | null {
  const [start, end] = ["request_start_ns", "request_end_ns"].map((name) => numberOf(member(value, "metadata", name)))
  return start !== undefined && end !== undefined && end > start ? (end - start) / 1e6 : null
}

function isWarmUp(value: JsonValue): boolean {
  return textOf(member(value, "metadata", "benchmark_phase")) === "warmup"
}

function countAt(value: JsonValue, metric: string): number | null {
  const count = numberOf(member(value, "metrics", metric, "value"))
  return count !== undefined && count >= 0 ? Math.round(count) : null
}

function milliseconds(metric: JsonValue | undefined): number | null {
  const value = numberOf(member(metric, "value"))
  return value === undefined || value < 0 ? null : value * unitMs(member(metric, "unit"))
}

function unitMs(unit: JsonValue | undefined): number {
  const name = textOf(unit)?.toLowerCase() ?? "ms"
  return units.get(name) ?? 1
}

const units: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["sec", 1000],
  ["seconds", 1000],
])

function factsOf(document: JsonValue | null): Facts {
  const figures = objectOf(member(document ?? undefined, "records")) ?? objectOf(document ?? undefined) ?? {}
  const config = member(document ?? undefined, "input_config")
  const stated = Object.entries(figures).flatMap(([name, metric]): [string, number][] => {
    const unit = textOf(member(metric, "unit"))
    if (unit === undefined) return []
    return ["avg", "p50", "p90", "p95", "p99"].flatMap((stat): [string, number][] => {
      const value = numberOf(member(metric, stat))
      return value === undefined ? [] : [[`${name}.${stat} (${unit})`.slice(0, 100), value]]
    })
  })
  // From 0.13 on: a list of models, and of phases, of which warming up is another.
  const model = member(listOf(member(config, "models", "items"))[0], "name")
  const phase = listOf(member(config, "phases")).find((entry) => member(entry, "kind") === "profiling")
  const load = phase ?? member(config, "loadgen") ?? member(config, "perf_analyzer", "stimulus")
  const countOfAll = (name: string) => member(figures, name, "avg")
  return {
    model:
      textOf(model ?? listOf(member(config, "endpoint", "model_names") ?? member(config, "model_names"))[0]) ?? "model",
    concurrency: numberOf(member(load, "concurrency")) ?? null,
    rate: numberOf(member(load, "rate") ?? member(load, "request_rate")) ?? null,
    stated: Object.fromEntries(stated),
    counts: counted(countOfAll("request_count"), countOfAll("error_request_count")),
  }
}
