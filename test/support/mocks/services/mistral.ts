import type { JsonValue } from "../../../../src/core/json.ts"
import { type ChatService, plainUsage } from "../chat-service.ts"

/**
 * Mistral: 422 for every member that it does not know, `stream_options` among them; counts come with the last choice, unasked.
 *
 * Sources: `ChatCompletionStreamRequest$Outbound`, `UsageInfo$Outbound` and `CompletionResponseStreamChoice` of mistralai/client-ts
 * b14b3b9 (2026-08-05): no `seed` (it is `random_seed`), no log-probabilities, no `max_completion_tokens`; the body of a 422:
 * avante.nvim#2347, eca#231, openai-agents-python#442 (2025); usage at the end by default: tabby#4082; names of the limits' headers: as
 * several public clients read them (2026); prices: mistral.ai/pricing.
 */
export const mistral: ChatService = {
  name: "mistral",
  basePath: "/v1",
  keyVariable: "MISTRAL_API_KEY",
  models: ["mistral-medium-latest", "mistral-small-latest"],
  fields:
    "model temperature top_p max_tokens stream stop random_seed metadata messages response_format tools tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key safe_prompt",
  unknown: (path, input = null) => ({
    status: 422,
    message: {
      detail: [{ type: "extra_forbidden", loc: ["body", ...path], msg: "Extra inputs are not permitted", input }],
    },
  }),
  wrongKey: { status: 401, message: "Unauthorized" },
  wrongModel: (model) => ({ status: 400, message: `Invalid model: ${model}`, type: "invalid_model", code: "1500" }),
  error: ({ status, message, type = "invalid_request_error", code = null }): JsonValue =>
    status === 401 ? { detail: message } : { object: "error", message, type, param: null, code },
  usage: (counts) => ({ ...plainUsage(counts), prompt_tokens_details: { cached_tokens: counts.cached } }),
  caches: true,
  usageIn: "last choice",
  choice: { logprobs: null },
  headers: {
    "x-ratelimit-limit-req-minute": "300",
    "x-ratelimit-remaining-req-minute": "299",
    "x-ratelimit-limit-tokens-minute": "500000",
    "x-ratelimit-remaining-tokens-minute": "499000",
  },
  rates: { "mistral-medium-latest": [1.5, 0.15, 7.5], "mistral-small-latest": [0.15, 0.015, 0.6] },
}
