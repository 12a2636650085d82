import type { SkippedRow } from "../../core/dataset.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { countOf, listOf, member, numberOf, objectOf, textOf } from "../fields.ts"
import { jsonLines } from "../json-file.ts"
import type { LoadedRequest, LoadLog, LoadLogLevel } from "./load-log.ts"
import { failedAs, forwardTimes, timedRequest } from "./timed-request.ts"

/** Whether a result is that of SGLang's `bench_serving`, which began as a copy of vLLM's and names its figures otherwise. */
function isSglang(document: JsonValue | undefined): boolean {
  return sglangOnly.some((name) => member(document, name) !== undefined)
}

const sglangOnly = [
  "mean_e2e_latency_ms",
  "total_output_tokens_retokenized",
  "sharegpt_output_len",
  "random_range_ratio",
]

/** Whether a document is the result of `vllm bench serve`, or of SGLang's `bench_serving`. */
export function isVllmBench(document: JsonObject): boolean {
  const has = (name: string) => numberOf(document[name]) !== undefined
  return (
    has("duration") &&
    has("completed") &&
    has("request_throughput") &&
    (has("mean_ttft_ms") || Array.isArray(document.ttfts) || document.completed === 0)
  )
}

/** Results of `vllm bench serve`: one document, or lines of them (`--append-result`), each a level of load. */
export function vllmLog(path: string, file: string, document: JsonValue | null): LoadLog | Promise<LoadLog> {
  return document === null ? appendedLog(path, file) : logOf([document], file)
}

async function appendedLog(path: string, file: string): Promise<LoadLog> {
  const documents: JsonValue[] = []
  for await (const line of jsonLines(path, file))
    if ("value" in line && isVllmBench(objectOf(line.value) ?? {})) documents.push(line.value)
  return logOf(documents, file)
}

function logOf(documents: readonly JsonValue[], file: string): LoadLog {
  const levels = documents.map(levelOf)
  const isOfSglang = isSglang(documents[0])
  const name = isOfSglang ? "SGLang" : "vLLM"
  const option = isOfSglang ? "--output-details" : "--save-result --save-detailed"
  return {
    tool: isOfSglang ? "sglang-bench" : "vllm-bench",
    name,
    file,
    levels,
    model:
      textOf(member(documents[0], isOfSglang ? "model" : "model_id")) ??
      textOf(member(documents[0], "model_id")) ??
      "model",
    notes: [
      ...(levels.some(({ hasGaps }) => !hasGaps)
        ? [`figures are ${name}'s own: run it with ${option} for the times of each request`]
        : [`time to first token is ${name}'s: to the first chunk, empty ones too`]),
      ...(levels.some(({ hasGaps, hasStarts }) => hasGaps && !hasStarts)
        ? [`the starts of requests were not kept: throughput is ${name}'s own figure, ramp and drain included`]
        : []),
      ...levels.flatMap(({ counts }) =>
        counts && counts.answered < counts.requests
          ? [
              `${counts.requests - counts.answered} of ${counts.requests} requests failed: figures are those of the others`,
            ]
          : [],
      ),
    ],
    async *requests() {
      for (const [level, document] of documents.entries()) yield* requestsOf(document, level, file)
    },
  }
}

function levelOf(document: JsonValue): LoadLogLevel {
  const rate = numberOf(member(document, "request_rate"))
  const isDetailed = listOf(member(document, "ttfts")).length > 0
  const completed = countOf(member(document, "completed") ?? null) ?? 0
  const asked = countOf(member(document, "num_prompts") ?? null) ?? 0
  const failed = countOf(member(document, "failed") ?? null) ?? Math.max(0, asked - completed)
  return {
    concurrency: numberOf(member(document, "max_concurrency")) ?? null,
    rate: rate !== undefined && rate > 0 ? rate : null,
    stated: completed === 0 ? {} : statedOf(document),
    ...(isDetailed ? {} : { counts: { requests: completed + failed, answered: completed } }),
    hasGaps: listOf(member(document, "itls")).length > 0,
    hasStarts: listOf(member(document, "start_times")).length > 0,
  }
}

function statedOf(document: JsonValue): Record<string, number> {
  const named = Object.entries(objectOf(document) ?? {}).flatMap(([name, value]): [string, number][] =>
    typeof value === "number" && /_throughput$|_(?:ttft|tpot|itl|e2el|e2e_latency)_ms$|^duration$/.test(name)
      ? [[name.slice(0, 100), value]]
      : [],
  )
  return Object.fromEntries(named)
}

/** Requests stand in arrays side by side; those that failed have an error and no time. */
function* requestsOf(document: JsonValue, level: number, file: string): Generator<LoadedRequest | SkippedRow> {
  const list = (name: string) => listOf(member(document, name))
  const [ttfts, itls, inputs, outputs] = [list("ttfts"), list("itls"), list("input_lens"), list("output_lens")]
  const [starts, errors, latencies] = [list("start_times"), list("errors"), list("latencies")]
  const firstSeconds = starts.reduce<number>(
    (least, start) => Math.min(least, numberOf(start) ?? least),
    Number.POSITIVE_INFINITY,
  )
  for (const [i, ttft] of ttfts.entries()) {
    const where = `${file}#${level}.ttfts[${i}]`
    const seconds = numberOf(ttft)
    const error = textOf(errors[i]) ?? ""
    const gaps = listOf(itls[i]).map(Number)
    const start = numberOf(starts[i])
    if (seconds === undefined || seconds < 0) {
      yield { where, field: "ttfts", reason: "it is no time" }
      continue
    }
    let atMs = seconds * 1000
    const chunksMs = forwardTimes([atMs, ...gaps.map((gap) => (atMs += gap * 1000))])
    const latency = numberOf(latencies[i])
    yield {
      level,
      where,
      answer: timedRequest({
        startMs: start === undefined ? null : (start - firstSeconds) * 1000,
        // 0 stands for the times of a request that failed.
        ttftMs: error === "" && seconds > 0 ? seconds * 1000 : null,
        e2eMs: latency !== undefined && latency > 0 ? latency * 1000 : error === "" ? (chunksMs.at(-1) ?? null) : null,
        chunksMs: error === "" ? chunksMs : [],
        promptTokens: countOf(inputs[i]),
        completionTokens: countOf(outputs[i]),
        ...(error !== "" && {
          failure: { outcome: failedAs(undefined, error), message: error.split("\n").at(-1) || error },
        }),
      }),
    }
  }
}
