import type { Answer } from "../generation.ts"

/**
 * What a service's word for the end of an answer means. `unstated` is a word that says that it does not say; `failed` is every word
 * that is not known, for only a known one promises that the answer is whole.
 */
export type FinishClass = "complete" | "length" | "refused" | "malformed" | "failed" | "unstated"

/**
 * The words of all services, small, with one underscore for what stands between their parts. Sources: `finish_reason` of
 * openai/openai-openapi, vLLM, SGLang, TGI, llama.cpp, Mistral, Together, DeepSeek, Zhipu and DashScope; `FinishReason` of
 * googleapis/js-genai; `ChatFinishReason` of cohere-ai/cohere-typescript; `StopReason` of anthropics/anthropic-sdk-typescript and of Bedrock's
 * Converse; `completionReason` of Titan and AI21; `stopReason` of LM Studio; `status` and `incomplete_details.reason` of the Responses
 * API; `stop_reason` of Inspect; `finishReason` of the AI SDK.
 */
const words: Readonly<Record<Exclude<FinishClass, "failed">, readonly string[]>> = {
  complete: [
    ...["stop", "stop_sequence", "stop_token", "stop_string", "stop_string_found", "stop_str", "word", "stopped"],
    ...["eos", "eos_token", "eos_found", "endoftext", "end_of_text", "end_turn", "end", "end_token"],
    ...["tool_call", "tool_calls", "tool_use", "function_call", "function_calls", "pause_turn"],
    ...["complete", "completed", "finish", "finished", "done", "normal", "success", "ok"],
  ],
  length: [
    ...["length", "max_tokens", "max_output_tokens", "max_new_tokens", "max_completion_tokens", "max_length"],
    ...["max_predicted_tokens_reached", "model_length", "model_context_window_exceeded", "context_length_reached"],
    ...[
      "context_length",
      "max_context_length",
      "context_length_exceeded",
      "context_window_exceeded",
      "limit",
      "token_limit",
      "token_limit_reached",
    ],
  ],
  refused: [
    ...["content_filter", "content_filtered", "content_filtering", "content_policy", "content_policy_violation"],
    ...["refusal", "refused", "safety", "recitation", "language", "blocklist", "prohibited_content", "spii"],
    ...["image_safety", "image_prohibited_content", "image_recitation", "model_armor", "error_toxic", "sensitive"],
    ...["guardrail", "guardrails", "guardrail_intervened", "moderation", "blocked"],
  ],
  malformed: [
    ...["malformed_function_call", "malformed_tool_call", "malformed_tool_use", "malformed_model_output"],
    ...["malformed_response", "unexpected_tool_call", "too_many_tool_calls", "missing_thought_signature"],
  ],
  unstated: ["", "null", "none", "nil", "undefined", "unknown", "not_finished", "in_progress", "unspecified"],
}

const classes: ReadonlyMap<string, FinishClass> = new Map(
  Object.entries(words).flatMap(([name, list]) =>
    list.map((word): [string, FinishClass] => [word, name as FinishClass]),
  ),
)

/**
 * The class of a finish reason, in whatever letters it is written: `MAX_TOKENS`, `maxTokens`, `content-filter`, `content_filter: RECITATION`,
 * `FinishReason.STOP`. `null` is a service that gave none.
 *
 * @example classifyFinish("SAFETY") // "refused"
 * @example classifyFinish("abort") // "failed"
 */
export function classifyFinish(reason: string | null): FinishClass {
  if (reason === null) return "unstated"
  const existing = classes.get(reason)
  if (existing) return existing
  const word = (reason.split(/[:;(,]/, 1)[0] ?? "")
    .trim()
    .replace(/^finish_?reason[._]/i, "")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "")
    .join("_")
  return classes.get(word) ?? "failed"
}

/** Whether the service has said that the answer is over, well or badly. */
export function isFinish(reason: string | null): reason is string {
  return classifyFinish(reason) !== "unstated"
}

/** The reason in the words that answers are told apart by: `length` and `content_filter`, everything else as it was written. */
export function normalizedFinish(reason: string): string {
  const finish = classifyFinish(reason)
  if (finish === "length") return "length"
  return finish === "refused" ? "content_filter" : reason
}

/** How an answer ended, by the reason that was stated. */
export type FinishedAnswer = Pick<Answer, "outcome" | "failure">

/**
 * What the answer counts as, by the word that the service ended it with; null where that word leaves it to the answer itself, because it
 * is whole, or because none was given at all.
 *
 * @param details what the service said beside the word
 */
export function endOfFinish(reason: string | null, details = ""): FinishedAnswer | null {
  if (reason === null) return null
  const code = reason.slice(0, 100)
  const message = `the answer ended with ${code}${details && `: ${details}`}`
  switch (classifyFinish(reason)) {
    case "complete":
      return null
    case "length":
      return { outcome: "length", failure: null }
    case "refused":
      return {
        outcome: "refused",
        failure: { message: `the answer was stopped by a content filter${detailsOf(reason, details)}` },
      }
    case "malformed":
      return { outcome: "malformed", failure: { message, code } }
    case "failed":
      return { outcome: "stream_error", failure: { message, code } }
    case "unstated":
      return {
        outcome: "truncated",
        failure: { message: `the service did not say why the answer ended (${code || '""'})` },
      }
  }
}

function detailsOf(reason: string, details: string): string {
  const said = [/^content[ _-]?filter$/i.test(reason) ? "" : reason.slice(0, 100), details].filter(Boolean).join(": ")
  return said && ` (${said})`
}
