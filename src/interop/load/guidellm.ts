import type { SkippedRow } from "../../core/dataset.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { countOf, listOf, member, numberOf, objectOf, textOf } from "../fields.ts"
import type { LoadedRequest, LoadLog, LoadLogLevel } from "./load-log.ts"
import { failedAs, timedRequest } from "./timed-request.ts"

/** Whether a document is a report of GuideLLM. */
export function isGuidellm(document: JsonObject): boolean {
  return listOf(document.benchmarks).some(
    (entry) => objectOf(member(entry, "metrics")) !== undefined && member(entry, "requests") !== undefined,
  )
}

/** A report of GuideLLM: a level for each of its benchmarks. It stamps the first and the last token of a request. */
export function guidellmLog(document: JsonValue, file: string): LoadLog {
  const benchmarks = listOf(member(document, "benchmarks"))
  const levels = benchmarks.map(levelOf)
  return {
    tool: "guidellm",
    name: "GuideLLM",
    file,
    levels,
    model: modelOf(document, benchmarks),
    notes: [
      "GuideLLM kept no time of each chunk: the time between tokens is not known",
      ...(levels.some(({ counts }) => counts)
        ? ["the report holds a sample of its requests only: figures are GuideLLM's own"]
        : []),
    ],
    async *requests() {
      for (const [level, benchmark] of benchmarks.entries()) {
        const first = firstStart(benchmark)
        for (const [kind, outcome] of levels[level]?.counts ? [] : kinds)
          for (const [i, request] of listOf(member(benchmark, "requests", kind)).entries())
            yield requestOf(
              request,
              { level, outcome, where: `${file}#benchmarks[${level}].requests.${kind}[${i}]` },
              first,
            )
      }
    },
  }
}

const kinds = [
  ["successful", null],
  ["errored", "error"],
  ["incomplete", "cancelled"],
] as const

function levelOf(benchmark: JsonValue): LoadLogLevel {
  const counts = totalsOf(benchmark)
  const strategy =
    member(benchmark, "config", "strategy") ??
    member(benchmark, "scheduler", "strategy") ??
    member(benchmark, "args", "strategy")
  const kind = textOf(member(strategy, "type_")) ?? textOf(member(strategy, "type"))
  const streams = numberOf(member(strategy, "streams")) ?? numberOf(member(strategy, "max_concurrency"))
  return {
    concurrency: kind === "synchronous" ? 1 : (streams ?? null),
    rate: kind === "synchronous" ? null : (numberOf(member(strategy, "rate")) ?? null),
    stated: statedOf(member(benchmark, "metrics")),
    hasGaps: false,
    hasStarts: counts === undefined,
    counts,
  }
}

/** How many requests there were, where the report holds a sample of them only (`--sample-requests`). */
function totalsOf(benchmark: JsonValue): LoadLogLevel["counts"] {
  const totals =
    member(benchmark, "request_totals") ??
    member(benchmark, "run_stats", "requests_made") ??
    member(benchmark, "metrics", "request_totals")
  const count = (name: string) => countOf(member(totals, name) ?? null) ?? 0
  const requests = Math.max(count("total"), count("successful") + count("errored") + count("incomplete"))
  const held = kinds.reduce((sum, [kind]) => sum + listOf(member(benchmark, "requests", kind)).length, 0)
  return requests > held ? { requests, answered: count("successful") } : undefined
}

function statedOf(metrics: JsonValue | undefined): Record<string, number> {
  const entries = Object.entries(objectOf(metrics) ?? {}).flatMap(([name, metric]): [string, number][] => {
    const figures = member(metric, "successful") ?? metric
    return ["mean", "median"].flatMap((stat): [string, number][] => {
      const value = numberOf(member(figures, stat))
      return value === undefined ? [] : [[`${name}.${stat}`.slice(0, 100), value]]
    })
  })
  return Object.fromEntries(entries)
}

function modelOf(document: JsonValue, benchmarks: readonly JsonValue[]): string {
  return (
    textOf(member(benchmarks[0], "config", "backend", "model")) ??
    textOf(member(benchmarks[0], "worker", "backend_model")) ??
    textOf(member(document, "config", "backend", "model")) ??
    textOf(member(document, "args", "model")) ??
    "model"
  )
}

function firstStart(benchmark: JsonValue): number {
  let first = Number.POSITIVE_INFINITY
  for (const [kind] of kinds)
    for (const request of listOf(member(benchmark, "requests", kind)))
      first = Math.min(first, secondsAt(request, "start") ?? first)
  return first
}

/** Seconds since 1970, where the request has them: as its own fields, or within its timings. */
function secondsAt(request: JsonValue, side: "start" | "end"): number | undefined {
  return (
    numberOf(member(request, "info", "timings", `request_${side}`)) ??
    numberOf(member(request, `request_${side}_time`)) ??
    numberOf(member(request, `${side}_time`))
  )
}

function requestOf(
  request: JsonValue,
  {
    level,
    outcome,
    where,
  }: { readonly level: number; readonly outcome: "error" | "cancelled" | null; readonly where: string },
  first: number,
): LoadedRequest | SkippedRow {
  const [start, end] = [secondsAt(request, "start"), secondsAt(request, "end")]
  if (start === undefined) return { where, field: "request_start_time", reason: "the request says no start" }
  const timings = member(request, "info", "timings")
  const lastToken =
    numberOf(member(timings, "last_token_iteration")) ?? numberOf(member(request, "last_token_time")) ?? end
  const firstToken = numberOf(member(timings, "first_token_iteration")) ?? numberOf(member(request, "first_token_time"))
  const ttft = numberOf(member(request, "time_to_first_token_ms"))
  const tokens = (name: string) => {
    const count =
      numberOf(member(request, `${name}_tokens`)) ??
      numberOf(member(request, `${name === "prompt" ? "input" : "output"}_metrics`, "total_tokens"))
    return count !== undefined && count >= 0 ? Math.round(count) : null
  }
  const error = textOf(member(request, "info", "error")) ?? textOf(member(request, "error")) ?? outcome
  const e2eMs = lastToken === undefined ? null : Math.max(0, (lastToken - start) * 1000)
  const ttftMs = firstToken === undefined ? (ttft ?? null) : (firstToken - start) * 1000
  return {
    level,
    where,
    answer: timedRequest({
      startMs: (start - first) * 1000,
      ttftMs: ttftMs !== null && ttftMs >= 0 && ttftMs <= (e2eMs ?? ttftMs) ? ttftMs : null,
      e2eMs,
      promptTokens: tokens("prompt"),
      completionTokens: tokens("output"),
      ...(outcome !== null && {
        failure: {
          outcome: outcome === "cancelled" ? "cancelled" : failedAs(undefined, error ?? ""),
          message: error ?? outcome,
        },
      }),
    }),
  }
}
