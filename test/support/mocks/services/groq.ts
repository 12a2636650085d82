import { type ChatService, type Counts, openaiUsage } from "../chat-service.ts"

/**
 * Groq: strict about members, and counts in `x_groq` of the last chunk.
 *
 * Sources: `ChatCompletionCreateParamsBase`, `ChatCompletionChunk.XGroq` and `CompletionUsage` of groq/groq-typescript 709b1ab
 * (2026-07-24); `stream_options`: console.groq.com/docs/api-reference, celeste-python#351 (2026-08); what ends in a 400:
 * console.groq.com/docs/openai; "property … is unsupported": cherry-studio#11435, claude-code-router#1204 (2026);
 * limits: console.groq.com/docs/rate-limits; prices: console.groq.com/docs/models (2026-11-10).
 */
export const groq: ChatService = {
  name: "groq",
  basePath: "/openai/v1",
  keyVariable: "GROQ_API_KEY",
  models: ["openai/gpt-oss-120b", "openai/gpt-oss-20b"],
  fields:
    "messages model citation_options compound_custom disable_tool_validation documents exclude_domains frequency_penalty function_call functions include_domains include_reasoning logit_bias logprobs max_completion_tokens max_tokens metadata n parallel_tool_calls presence_penalty reasoning_effort reasoning_format response_format search_settings seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user",
  parts: { stream_options: "include_usage" },
  unknown: (path) => ({ status: 400, message: `property '${path.join(".")}' is unsupported` }),
  refuse(body) {
    const refused = ["logprobs", "logit_bias", "top_logprobs"].find((name) => body[name] !== undefined)
    if (refused) return { status: 400, message: `\`${refused}\` is not supported with this model` }
    return body.n !== undefined && body.n !== 1 ? { status: 400, message: "'n' : number must be at most 1" } : null
  },
  wrongKey: { status: 401, message: "Invalid API Key", code: "invalid_api_key" },
  wrongModel: (model) => ({
    status: 404,
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    code: "model_not_found",
  }),
  error: ({ message, type = "invalid_request_error", code }) => ({ error: { message, type, ...(code && { code }) } }),
  thinks: () => 40,
  thinkingIn: "reasoning",
  caches: true,
  usage: timedUsage,
  usageIn: "chunk, when asked",
  chunk: { system_fingerprint: "fp_1" },
  choice: { logprobs: null },
  lastChunk: (counts) => ({ x_groq: { id: "req_01", usage: timedUsage(counts) } }),
  headers: {
    "x-ratelimit-limit-requests": "14400",
    "x-ratelimit-remaining-requests": "14370",
    "x-ratelimit-reset-requests": "2m59.56s",
    "x-ratelimit-limit-tokens": "1800000",
    "x-ratelimit-remaining-tokens": "1799700",
    "x-ratelimit-reset-tokens": "7.66ms",
  },
  rates: { "openai/gpt-oss-120b": [0.15, 0.075, 0.6], "openai/gpt-oss-20b": [0.075, 0.0375, 0.3] },
}

function timedUsage(counts: Counts) {
  return { ...openaiUsage(counts), queue_time: 0.01, prompt_time: 0.002, completion_time: 0.03, total_time: 0.032 }
}
