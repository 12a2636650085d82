import type { JsonValue } from "../../core/json.ts"
import { asMembers, type Members } from "../../core/json-members.ts"

/** Names of the numbers that servers state about the time of one answer. */
const names = {
  metrics: ["time_to_first_token_ms", "generation_time_ms", "queue_time_ms", "mean_itl_ms", "tokens_per_second"],
  times: ["queue_time", "prompt_time", "completion_time", "total_time", "completion_tokens"],
  meta_info: [
    "e2e_latency",
    "queue_time",
    "inference_time",
    "prefill_finished_ts",
    "decode_finished_ts",
    "completion_tokens",
  ],
  timings: ["cache_n", "prompt_n", "prompt_ms", "predicted_n", "predicted_ms", "draft_n", "draft_n_accepted"],
  durations: [
    "total_duration",
    "load_duration",
    "prompt_eval_count",
    "prompt_eval_duration",
    "eval_count",
    "eval_duration",
  ],
} as const

/**
 * What an event says of the server's own time, to be kept among the answer's facts: `metrics` of vLLM, the times in Groq's `usage`
 * (as `times`), the durations of Ollama's last object, `meta_info` of SGLang's own `/generate`, `timings` of llama.cpp's `/completion`. Only
 * numbers of known names are kept.
 */
export function serverTimes(
  kind: keyof typeof names,
  members: Members | null | undefined,
): Readonly<Record<string, JsonValue>> {
  if (!members) return {}
  const entries = names[kind].flatMap((name): [string, JsonValue][] => {
    const value = members[name]
    return typeof value === "number" && Number.isFinite(value) ? [[name, value]] : []
  })
  const timed = entries.some(([name]) => /_(?:ms|time|duration|latency)$/.test(name))
  return timed ? { [kind]: Object.fromEntries(entries) } : {}
}

/** The same of the members of a server's own API, whichever it is. */
export function ownServerTimes(members: Members): Readonly<Record<string, JsonValue>> {
  return {
    ...serverTimes("durations", members),
    ...serverTimes("timings", asMembers(members.timings)),
    ...serverTimes("metrics", asMembers(members.metrics)),
    ...serverTimes("meta_info", asMembers(members.meta_info)),
  }
}

/** Headers of TGI's answers, whole milliseconds but for the last one. */
const headerNames = {
  total_time: "x-total-time",
  validation_time: "x-validation-time",
  queue_time: "x-queue-time",
  inference_time: "x-inference-time",
  time_per_token: "x-time-per-token",
  generated_tokens: "x-generated-tokens",
} as const

/**
 * What TGI says of its own time in the headers of an answer that is not streamed (as `header_times`). Queue and inference must both be there: a
 * total alone may be a proxy's.
 */
export function headerTimes(headers: ReadonlyMap<string, string>): Readonly<Record<string, JsonValue>> {
  if (!headers.has(headerNames.queue_time) || !headers.has(headerNames.inference_time)) return {}
  const entries = Object.entries(headerNames).flatMap(([name, header]): [string, JsonValue][] => {
    const value = headers.get(header) ?? ""
    return /^\d{1,9}$/.test(value) ? [[name, Number(value)]] : []
  })
  return { header_times: Object.fromEntries(entries) }
}
