import type { JsonObject } from "../../../../src/core/json.ts"
import { type ChatService, openaiError, openaiUsage, type Refusal } from "../chat-service.ts"

/**
 * OpenAI's chat completions, with the models of both kinds.
 *
 * Sources: `ChatCompletionCreateParamsBase`, `ChatCompletionStreamOptions` and `CompletionUsage` of openai/openai-node 6.49.0; what
 * reasoning models refuse: llmcomp#69, opencode#37964, go-openai#1061, smolagents#1893 (2025-08 to 2026-07); "Unrecognized request
 * argument supplied": langchain_dart#712, tg-spam#304 (2025-06); prices: developers.openai.com/api/docs/pricing (2026-11-10).
 */
export const openai: ChatService = {
  name: "openai",
  basePath: "/v1",
  keyVariable: "OPENAI_API_KEY",
  models: ["gpt-4.1", "gpt-4.1-mini", "gpt-5.5", "gpt-5.4-mini"],
  fields:
    "messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options",
  parts: { stream_options: "include_usage include_obfuscation", response_format: "type json_schema" },
  unknown: (path) => ({ status: 400, message: `Unrecognized request argument supplied: ${path.join(".")}` }),
  refuse: (body) => (reasons(body) ? refusedByReasoning(body) : refusedByOthers(body)),
  wrongKey: {
    status: 401,
    message: "Incorrect API key provided: sk-wrong. You can find your API key at https://platform.openai.com.",
    code: "invalid_api_key",
  },
  wrongModel: (model) => ({
    status: 404,
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    code: "model_not_found",
  }),
  error: openaiError,
  thinks: (body) => (reasons(body) ? 64 : 0),
  caches: true,
  usage: openaiUsage,
  usageIn: "chunk, when asked",
  chunk: { service_tier: "default", system_fingerprint: "fp_1", obfuscation: "x7Qd" },
  choice: { logprobs: null },
  headers: {
    "x-request-id": "req_1",
    "openai-processing-ms": "12",
    "x-ratelimit-limit-requests": "10000",
    "x-ratelimit-remaining-requests": "9999",
    "x-ratelimit-reset-requests": "6ms",
    "x-ratelimit-limit-tokens": "2000000",
    "x-ratelimit-remaining-tokens": "1999000",
    "x-ratelimit-reset-tokens": "30ms",
  },
  rates: {
    "gpt-4.1": [2, 0.5, 8],
    "gpt-4.1-mini": [0.4, 0.1, 1.6],
    "gpt-5.5": [5, 0.5, 30],
    "gpt-5.4-mini": [0.75, 0.075, 4.5],
  },
}

/** Reasoning models think, at any effort but `none`. */
export function reasons({ model, reasoning_effort }: JsonObject): boolean {
  return /(^|\/)(gpt-[5-9]|o\d)/.test(String(model)) && reasoning_effort !== "none"
}

/** What OpenAI's reasoning models refuse. */
export function refusedByReasoning(body: JsonObject): Refusal | null {
  const unsupported = (param: string, message: string): Refusal => ({
    status: 400,
    message,
    param,
    code: "unsupported_parameter",
  })
  if (body.temperature !== undefined && body.temperature !== 1)
    return {
      status: 400,
      message: `Unsupported value: 'temperature' does not support ${String(body.temperature)} with this model. Only the default (1) value is supported.`,
      param: "temperature",
      code: "unsupported_value",
    }
  if (body.max_tokens !== undefined)
    return unsupported(
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    )
  const refused = ["top_p", "logprobs", "top_logprobs", "stop", "presence_penalty", "frequency_penalty"].find(
    (name) => body[name] !== undefined,
  )
  return refused === undefined
    ? null
    : unsupported(refused, `Unsupported parameter: '${refused}' is not supported with this model.`)
}

function refusedByOthers(body: JsonObject): Refusal | null {
  if (body.reasoning_effort !== undefined)
    return { status: 400, message: "Unrecognized request argument supplied: reasoning_effort" }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined)
    return {
      status: 400,
      message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    }
  return null
}
