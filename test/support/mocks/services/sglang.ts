import { type ChatService, plainUsage } from "../chat-service.ts"

/**
 * SGLang: ignores what it does not know; a flat error body; thinking counted at the top level of usage.
 *
 * Source: sgl-project/sglang 004c82e, python/sglang/srt/entrypoints/openai/protocol.py: `ChatCompletionRequest` (pydantic's default,
 * which ignores extras), `ErrorResponse` (flat), `UsageInfo` (`reasoning_tokens`), `ChatCompletionResponseStreamChoice` (`matched_stop`).
 */
export const sglang: ChatService = {
  name: "sglang",
  basePath: "/v1",
  keyVariable: null,
  models: null,
  fields: "",
  refuse: ({ reasoning_effort }) =>
    typeof reasoning_effort === "boolean"
      ? { status: 400, message: "reasoning_effort must not be a boolean", param: "reasoning_effort" }
      : null,
  wrongKey: { status: 401, message: "Unauthorized" },
  error: ({ status, message, type = "BadRequest", param = null }) => ({
    object: "error",
    message,
    type,
    param,
    code: status,
  }),
  thinks: () => 30,
  thinkingIn: "reasoning_content",
  usage: (counts) => ({
    ...plainUsage(counts),
    reasoning_tokens: counts.thinking,
    prompt_tokens_details: { cached_tokens: counts.cached },
  }),
  caches: true,
  usageIn: "chunk, when asked",
  choice: { logprobs: null, matched_stop: null },
}
