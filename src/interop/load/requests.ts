import type { JsonObject, JsonValue } from "../../core/json.ts"
import { jsonValue } from "../../core/json-members.ts"
import { countOf, listOf, member, numberOf, objectOf, textOf } from "../fields.ts"
import type { LoadLog } from "./load-log.ts"
import { failedAs, forwardTimes, timedRequest } from "./timed-request.ts"

/** LLMPerf's file of individual responses: rows with both latencies and the tokens of a request each, without its start. */
export function llmperfLog(rows: readonly JsonValue[], file: string): LoadLog {
  const ms = (row: JsonValue, name: string) => {
    const seconds = numberOf(member(row, name))
    return seconds !== undefined && seconds > 0 ? seconds * 1000 : null
  }
  return {
    tool: "llmperf",
    name: "LLMPerf",
    file,
    model: "model",
    levels: [{ concurrency: null, rate: null, stated: {}, hasGaps: false, hasStarts: false }],
    notes: ["LLMPerf counts tokens of every answer with one tokenizer, that of Llama 2"],
    async *requests() {
      for (const [i, row] of rows.entries()) {
        const code = numberOf(member(row, "error_code"))
        const message = textOf(member(row, "error_msg")) ?? ""
        const isFailed = code !== undefined || message !== ""
        yield {
          level: 0,
          where: `${file}#${i}`,
          answer: timedRequest({
            startMs: null,
            ttftMs: isFailed ? null : ms(row, "ttft_s"),
            e2eMs: ms(row, "end_to_end_latency_s"),
            promptTokens: countOf(member(row, "number_input_tokens") ?? null),
            completionTokens: countOf(member(row, "number_output_tokens") ?? null),
            ...(isFailed && { failure: { outcome: failedAs(code, message), message: message || `status ${code}` } }),
          }),
        }
      }
    },
  }
}

/** Whether a document is what GenAI-Perf kept of its requests (`profile_export.json`, of Perf Analyzer). */
export function isGenaiPerf(document: JsonObject): boolean {
  return listOf(document.experiments).some((entry) => Array.isArray(member(entry, "requests")))
}

/** A level for each experiment; stamps are in nanoseconds, and tokens are not counted. */
export function genaiPerfLog(document: JsonObject, file: string): LoadLog {
  const experiments = listOf(document.experiments)
  const first = experiments.map((experiment) =>
    listOf(member(experiment, "requests")).reduce<number>(
      (least, request) => Math.min(least, numberOf(member(request, "timestamp")) ?? least),
      Number.POSITIVE_INFINITY,
    ),
  )
  return {
    tool: "genai-perf",
    name: "GenAI-Perf",
    file,
    model: textOf(document.model) ?? "model",
    levels: experiments.map((experiment) => {
      const [mode, value] = [
        member(experiment, "experiment", "mode"),
        numberOf(member(experiment, "experiment", "value")) ?? null,
      ]
      return {
        concurrency: mode === "concurrency" ? value : null,
        rate: mode === "request_rate" ? value : null,
        stated: {},
        hasGaps: true,
        hasStarts: true,
      }
    }),
    notes: ["GenAI-Perf kept the times of responses and no count of tokens: figures for each token are not known"],
    async *requests() {
      for (const [level, experiment] of experiments.entries())
        for (const [i, request] of listOf(member(experiment, "requests")).entries()) {
          const where = `${file}#experiments[${level}].requests[${i}]`
          const start = numberOf(member(request, "timestamp"))
          if (start === undefined) yield { where, field: "timestamp", reason: "the request says no start" }
          else yield { level, where, answer: streamedRequest(request, start, first[level] ?? start) }
        }
    },
  }
}

function streamedRequest(request: JsonValue, start: number, first: number) {
  const outputs = listOf(member(request, "response_outputs"))
  const stamps = listOf(member(request, "response_timestamps")).filter((_, i) => hasContent(outputs[i]))
  const chunksMs = forwardTimes(stamps.map((at) => (Number(at) - start) / 1e6))
  const isFailed = member(request, "success") === false || chunksMs.length === 0
  return timedRequest({
    startMs: (start - first) / 1e6,
    ttftMs: chunksMs.length > 1 ? (chunksMs[0] as number) : null,
    e2eMs: chunksMs.at(-1) ?? null,
    chunksMs: isFailed ? [] : chunksMs,
    promptTokens: null,
    completionTokens: null,
    ...(isFailed && { failure: { outcome: "application_error" as const, message: "no response" } }),
  })
}

/** Whether a response holds a part of the answer: an event with the role, the reason of the end or the usage alone does not. */
function hasContent(output: JsonValue | undefined): boolean {
  const text = textOf(member(output, "response"))
  if (text === undefined) return true
  return text.split("\n\n").some((event) => {
    const data = event.replace(/^data:/, "").trim()
    if (data === "" || data === "[DONE]") return false
    const choices = member(jsonValue(data, null), "choices")
    if (choices === undefined) return true
    return listOf(choices).some((choice) => {
      const said = objectOf(member(choice, "delta")) ?? objectOf(member(choice, "message")) ?? objectOf(choice)
      return answerParts.some((name) => listOf(said?.[name]).length > 0 || (textOf(said?.[name]) ?? "") !== "")
    })
  })
}

const answerParts = ["content", "reasoning_content", "reasoning", "tool_calls", "text"]

/** Whether a row is one of LLMPerf's individual responses. */
export function isLlmperfResponse(row: JsonObject): boolean {
  return "end_to_end_latency_s" in row && "number_output_tokens" in row && objectOf(row.metrics) === undefined
}
