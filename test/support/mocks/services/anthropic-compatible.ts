import type { JsonObject } from "../../../../src/core/json.ts"
import { type ChatService, openaiError } from "../chat-service.ts"

/**
 * Anthropic's endpoint for OpenAI's clients: most of what it does not know is ignored; a model's own refusals are those of Messages.
 *
 * Sources: platform.claude.com/docs/en/api/openai-sdk (fields that work and that are ignored; details of usage "always empty");
 * refusals: anything-llm#6455, opencode#28930 (2026); prices: platform.claude.com/docs/en/about-claude/pricing (2026-11-10).
 */
export const anthropicCompatible: ChatService = {
  name: "anthropic-compatible",
  basePath: "/v1",
  keyVariable: "ANTHROPIC_API_KEY",
  models: ["claude-sonnet-4-6", "claude-haiku-4-5"],
  fields: "",
  refuse({ model, temperature, top_p, n }: JsonObject) {
    if (temperature !== undefined && temperature !== 1 && /claude-[a-z]+-(4-[7-9]|[5-9])/.test(String(model)))
      return { status: 400, message: "`temperature` is deprecated for this model." }
    if (temperature !== undefined && top_p !== undefined)
      return { status: 400, message: "`temperature` and `top_p` cannot both be specified for this model." }
    return n !== undefined && n !== 1 ? { status: 400, message: "n: must be 1" } : null
  },
  wrongKey: { status: 401, message: "invalid x-api-key", type: "authentication_error" },
  wrongModel: (model) => ({ status: 404, message: `model: ${model}`, type: "not_found_error" }),
  error: openaiError,
  usage: ({ prompt, text }) => ({
    prompt_tokens: prompt,
    completion_tokens: text,
    total_tokens: prompt + text,
    prompt_tokens_details: null,
    completion_tokens_details: null,
  }),
  usageIn: "chunk, when asked",
  headers: {
    "request-id": "req_011",
    "anthropic-ratelimit-requests-limit": "4000",
    "anthropic-ratelimit-requests-remaining": "3999",
    "anthropic-ratelimit-requests-reset": "2030-01-01T00:00:00Z",
  },
  rates: { "claude-sonnet-4-6": [3, 0.3, 15], "claude-haiku-4-5": [1, 0.1, 5] },
}
