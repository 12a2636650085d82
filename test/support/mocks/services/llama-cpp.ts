import { type ChatService, plainUsage } from "../chat-service.ts"

/**
 * llama.cpp's server: answers under any model's name, ignores what it does not know, and times itself in the last chunk.
 *
 * Sources: ggml-org/llama.cpp tools/server/README.md @00dc805 (`timings`, errors with `code`, `message`, `type`); llama.cpp#15827
 * (`cache_n`); the order of the last chunks: strands-agents/harness-sdk#3955 (2026-08).
 */
export const llamaCpp: ChatService = {
  name: "llama.cpp",
  basePath: "/v1",
  keyVariable: null,
  models: null,
  fields: "",
  refuse: ({ logprobs, top_logprobs }) =>
    top_logprobs !== undefined && logprobs !== true
      ? { status: 400, message: "top_logprobs requires logprobs to be set to true" }
      : null,
  wrongKey: { status: 401, message: "Invalid API Key", type: "authentication_error" },
  error: ({ status, message, type = "invalid_request_error" }) => ({ error: { code: status, message, type } }),
  caches: true,
  usage: (counts) => ({ ...plainUsage(counts), prompt_tokens_details: { cached_tokens: counts.cached } }),
  usageIn: "chunk, when asked",
  chunk: { system_fingerprint: "b9554-d403f00ec" },
  lastChunk: ({ prompt, cached, text }) => ({
    timings: {
      cache_n: cached,
      prompt_n: prompt - cached,
      prompt_ms: 30.9,
      prompt_per_token_ms: 30.9 / (prompt - cached),
      prompt_per_second: ((prompt - cached) / 30.9) * 1000,
      predicted_n: text,
      predicted_ms: 20.4,
      predicted_per_token_ms: 10.2,
      predicted_per_second: 98,
    },
  }),
}
