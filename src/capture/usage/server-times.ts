import type { JsonValue } from "../../core/json.ts"
import type { Members } from "../json-access.ts"

/** Names of the numbers that servers state about the time of one answer. */
const names = {
  metrics: ["time_to_first_token_ms", "generation_time_ms", "queue_time_ms", "mean_itl_ms", "tokens_per_second"],
  times: ["queue_time", "prompt_time", "completion_time", "total_time", "completion_tokens"],
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
 * (as `times`), the durations of Ollama's last object. Only numbers of known names are kept.
 */
export function serverTimes(
  kind: keyof typeof names,
  members: Members | null | undefined,
): Readonly<Record<string, JsonValue>> {
  if (!members) return {}
  const found = names[kind].flatMap((name): [string, JsonValue][] => {
    const value = members[name]
    return typeof value === "number" && Number.isFinite(value) ? [[name, value]] : []
  })
  const timed = found.some(([name]) => /_(?:ms|time|duration)$/.test(name))
  return timed ? { [kind]: Object.fromEntries(found) } : {}
}
