import { type ChatService, openaiError } from "../chat-service.ts"

/**
 * DeepSeek: ignores what it does not know and all sampling while it thinks; a value of a wrong type is an error.
 *
 * Sources: api-docs.deepseek.com/api/create-chat-completion (2026: cache hits and misses at the top level of usage, `reasoning_content`,
 * sampling without effect in thinking mode); wording: forgecode#2008, 9router#773 (2025-11 to 2026-05); 402: api-docs.deepseek.com/quick_start/error_codes;
 * prices: api-docs.deepseek.com/quick_start/pricing (2026-11-10, peak hours).
 */
export const deepseek: ChatService = {
  name: "deepseek",
  basePath: "/v1",
  keyVariable: "DEEPSEEK_API_KEY",
  models: ["deepseek-v4-pro", "deepseek-v4-flash"],
  fields: "",
  refuse(body) {
    const wrong = (message: string) => ({
      status: 400,
      message: `Failed to deserialize the JSON body into the target type: ${message} at line 1 column 1`,
      code: "invalid_request_error",
    })
    const roles = ["system", "user", "assistant", "tool", "latest_reminder"]
    const messages = body.messages as readonly { readonly role: string; readonly content: unknown }[]
    for (const [i, { role, content }] of messages.entries()) {
      if (!roles.includes(role)) return wrong(`messages[${i}].role: unknown variant \`${role}\``)
      if (typeof content !== "string") return wrong(`messages[${i}]: invalid type: sequence, expected a string`)
    }
    if (body.top_logprobs !== undefined && body.logprobs !== true)
      return { status: 400, message: "Invalid top_logprobs and logprobs value", code: "invalid_request_error" }
    const format = (body.response_format as { readonly type?: string } | undefined)?.type
    return format === "json_schema"
      ? { status: 400, message: "This response_format type is unavailable now", code: "invalid_request_error" }
      : null
  },
  wrongKey: {
    status: 401,
    message: "Authentication Fails, Your api key: ****wrong is invalid",
    type: "authentication_error",
    code: "invalid_request_error",
  },
  wrongModel: () => ({ status: 400, message: "Model Not Exist", code: "invalid_request_error" }),
  error: openaiError,
  thinks: (body) => ((body.thinking as { readonly type?: string } | undefined)?.type === "disabled" ? 0 : 50),
  thinkingIn: "reasoning_content",
  caches: true,
  usage: ({ prompt, cached, thinking, text }) => ({
    prompt_tokens: prompt,
    completion_tokens: thinking + text,
    total_tokens: prompt + thinking + text,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: thinking },
    prompt_cache_hit_tokens: cached,
    prompt_cache_miss_tokens: prompt - cached,
  }),
  usageIn: "last choice",
  chunk: { system_fingerprint: "fp_1" },
  choice: { logprobs: null },
  rates: { "deepseek-v4-pro": [1.32, 0.044, 3.96], "deepseek-v4-flash": [0.3, 0.006, 1.2] },
}
