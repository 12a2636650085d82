import type { ChatService } from "../chat-service.ts"

/**
 * Gemini's endpoint for OpenAI's clients: an unknown member is an error, and the body of an error is a list.
 *
 * Sources: ai.google.dev/gemini-api/docs/openai; refused members and the list: page-assist#418 (frequency_penalty), ChatterUI#227
 * (seed), PromptFuzz#42 (web_search_options), openhanako#394 (store), axonhub#1123 (metadata), 2025-02 to 2026-04. That thoughts are
 * counted beside the completion is not confirmed; it is what usageMetadata does. Prices: ai.google.dev/gemini-api/docs/pricing.
 */
export const geminiCompatible: ChatService = {
  name: "gemini-compatible",
  basePath: "/v1beta/openai",
  keyVariable: "GEMINI_API_KEY",
  models: ["gemini-3.5-flash", "gemini-3.5-flash-lite"],
  fields:
    "messages model max_tokens max_completion_tokens n parallel_tool_calls reasoning_effort response_format stop stream stream_options temperature tool_choice tools top_p user extra_body",
  parts: { stream_options: "include_usage", extra_body: "google" },
  unknown: (path) => ({
    status: 400,
    message: `Invalid JSON payload received. Unknown name "${path.at(-1)}"${path.length > 1 ? ` at '${path[0]}'` : ""}: Cannot find field.`,
    type: "INVALID_ARGUMENT",
  }),
  wrongKey: { status: 400, message: "API key not valid. Please pass a valid API key.", type: "INVALID_ARGUMENT" },
  wrongModel: (model) => ({
    status: 404,
    message: `models/${model} is not found for API version v1main`,
    type: "NOT_FOUND",
  }),
  error: ({ status, message, type = "INVALID_ARGUMENT" }) => [{ error: { code: status, message, status: type } }],
  thinks: () => 30,
  usage: ({ prompt, thinking, text }) => ({
    prompt_tokens: prompt,
    completion_tokens: text,
    total_tokens: prompt + text + thinking,
  }),
  usageIn: "both, when asked",
  rates: { "gemini-3.5-flash": [1.5, 0.15, 9], "gemini-3.5-flash-lite": [0.3, 0.03, 2.5] },
}
