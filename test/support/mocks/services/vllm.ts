import { type ChatService, plainUsage } from "../chat-service.ts"

/**
 * vLLM: unknown members are only warned of in its log; extras beside OpenAI's in every choice.
 *
 * Sources: vllm-project/vllm, chat completion protocol and error model of 0.26 to 0.32 ("The following fields were present in the
 * request but ignored"; `message.reasoning`, once `reasoning_content`; `stop_reason`, `token_ids`, `prompt_token_ids`; `cached_tokens`
 * only with --enable-prompt-tokens-details); docs.vllm.ai/en/latest/serving/openai_compatible_server.html; 404 of a model: vllm#4597.
 */
export const vllm: ChatService = {
  name: "vllm",
  basePath: "/v1",
  keyVariable: null,
  models: ["Qwen/Qwen3-8B", "Qwen/Qwen3-8B-AWQ"],
  fields: "",
  refuse({ max_tokens, temperature, stream, stream_options }) {
    if (typeof max_tokens === "number" && max_tokens < 1)
      return { status: 400, message: `max_tokens must be at least 1, got ${max_tokens}.`, param: "max_tokens" }
    if (typeof temperature === "number" && temperature < 0)
      return { status: 400, message: `temperature must be non-negative, got ${temperature}.`, param: "temperature" }
    return stream_options !== undefined && stream !== true
      ? { status: 400, message: "Stream options can only be defined when `stream=True`.", param: "stream_options" }
      : null
  },
  wrongKey: { status: 401, message: "Unauthorized" },
  wrongModel: (model) => ({
    status: 404,
    message: `The model \`${model}\` does not exist.`,
    type: "NotFoundError",
    param: "model",
  }),
  error: ({ status, message, type = "BadRequestError", param = null }) => ({
    error: { message, type, param, code: status },
  }),
  thinks: () => 30,
  thinkingIn: "reasoning",
  usage: (counts) => ({ ...plainUsage(counts), prompt_tokens_details: null }),
  usageIn: "chunk, when asked",
  choice: { logprobs: null, stop_reason: null, token_ids: null },
}
