import type { SkippedRow } from "../../core/dataset.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { jsonValue } from "../../core/json-members.ts"
import { countOf, listOf, member, numberOf, objectOf, textOf } from "../fields.ts"
import type { LoadedRequest, LoadLog } from "./load-log.ts"
import { failedAs, forwardTimes, timedRequest } from "./timed-request.ts"

/** Whether a row is one of inference-perf's `per_request_lifecycle_metrics.json`. */
export function isLifecycleRow(row: JsonObject): boolean {
  const has = (name: string) => numberOf(row[name]) !== undefined
  return has("start_time") && has("end_time") && "info" in row && ("request" in row || "response" in row)
}

/** Requests of inference-perf, with the time of each token where they were streamed. */
export function inferencePerfLog(rows: readonly JsonValue[], file: string): LoadLog {
  const hasGaps = rows.some((row) => timesOf(row).length > 1)
  const first = rows.reduce<number>(
    (least, row) => Math.min(least, numberOf(member(row, "start_time")) ?? least),
    Number.POSITIVE_INFINITY,
  )
  return {
    tool: "inference-perf",
    name: "inference-perf",
    file,
    model: modelOf(rows[0]),
    levels: [{ concurrency: null, rate: null, stated: {}, hasGaps, hasStarts: true }],
    notes: [],
    async *requests() {
      for (const [i, row] of rows.entries()) yield requestOf(row, `${file}#${i}`, first)
    },
  }
}

function requestOf(row: JsonValue, where: string, first: number): LoadedRequest | SkippedRow {
  const [start, end] = ["start_time", "end_time"].map((name) => numberOf(member(row, name)))
  if (start === undefined || end === undefined)
    return { where, field: "start_time", reason: "the request has no start_time or no end_time" }
  const info = member(row, "info")
  const chunksMs = forwardTimes(timesOf(row).map((at) => (at - start) * 1000))
  const error = objectOf(member(row, "error"))
  const message = textOf(error?.error_msg) ?? textOf(error?.error_type) ?? "failed"
  const usage = member(responseOf(row), "server_usage")
  return {
    level: 0,
    where,
    answer: timedRequest({
      startMs: (start - first) * 1000,
      ttftMs: chunksMs[0] ?? null,
      e2eMs: end >= start ? (end - start) * 1000 : null,
      chunksMs,
      promptTokens: countOf(member(usage, "prompt_tokens") ?? member(info, "input_tokens") ?? null),
      // The server's own count where it said one: a text that is split into tokens again has others.
      completionTokens: countOf(
        member(usage, "completion_tokens") ??
          member(responseOf(row), "output_tokens") ??
          member(info, "output_tokens") ??
          null,
      ),
      cachedPromptTokens: countOf(member(usage, "prompt_tokens_details", "cached_tokens") ?? null),
      ...(error && { failure: { outcome: failedAs(undefined, `${textOf(error.error_type)} ${message}`), message } }),
    }),
  }
}

/** What is known of the response: `response_info` in 0.5. */
function responseOf(row: JsonValue | undefined): JsonValue | undefined {
  return member(row, "info", "response_metrics") ?? member(row, "info", "response_info")
}

/** When chunks came, in the seconds of `start_time`: older versions stamp tokens that they made of them. */
function timesOf(row: JsonValue | undefined): readonly number[] {
  const info = member(row, "info")
  const lists = [
    member(responseOf(row), "chunk_times"),
    member(responseOf(row), "output_token_times"),
    member(info, "output_token_times"),
  ]
  const times = lists.map(listOf).find((list) => list.length > 0) ?? []
  return times.map(Number)
}

function modelOf(row: JsonValue | undefined): string {
  const request = textOf(member(row, "request"))
  if (request === undefined || !request.startsWith("{")) return "model"
  return textOf(member(jsonValue(request, undefined), "model")) ?? "model"
}
