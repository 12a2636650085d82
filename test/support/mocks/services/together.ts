import { type ChatService, openaiError, plainUsage } from "../chat-service.ts"

/**
 * Together AI: three counts with the last choice, whether they are asked for or not; `eos` as the reason of an end.
 *
 * Sources: `CompletionCreateParamsBase` and `ChatCompletionChunk` of togethercomputer/together-typescript 5d7f323 (2026-08-19), which
 * have no `stream_options` and no `max_completion_tokens`; wording of a refusal: mikupad#55, helm#2325 (`logprobs`). That unknown
 * members are refused is not stated: it is the strictest reading. Prices: docs.together.ai/docs/serverless/models (2026-11-10).
 */
export const together: ChatService = {
  name: "together",
  basePath: "/v1",
  keyVariable: "TOGETHER_API_KEY",
  models: ["openai/gpt-oss-120b", "Qwen/Qwen3.5-9B"],
  fields:
    "messages model chat_template_kwargs compliance context_length_exceeded_behavior echo frequency_penalty function_call logit_bias logprobs max_tokens min_p n presence_penalty reasoning reasoning_effort repetition_penalty response_format safety_model seed stop stream temperature tool_choice tools top_k top_p",
  unknown: (path) => ({
    status: 400,
    message: `unknown field '${path.join(".")}' is not permitted`,
    param: path[0] ?? null,
  }),
  refuse: ({ logprobs }) =>
    typeof logprobs === "number" && logprobs > 1
      ? { status: 400, message: `${logprobs} is greater than the maximum of 1 - 'logprobs'`, param: "logprobs" }
      : null,
  wrongKey: { status: 401, message: "Invalid API key provided.", code: "invalid_api_key" },
  wrongModel: (model) => ({
    status: 404,
    message: `Unable to access model ${model}. Please visit https://api.together.ai/models to view the list of supported models.`,
    code: "model_not_available",
  }),
  error: openaiError,
  thinks: ({ model }) => (String(model).includes("gpt-oss") ? 40 : 0),
  thinkingIn: "reasoning",
  usage: plainUsage,
  usageIn: "last choice",
  choice: { logprobs: null, seed: 7 },
  rates: { "openai/gpt-oss-120b": [0.15, 0.15, 0.6], "Qwen/Qwen3.5-9B": [0.17, 0.17, 0.25] },
}
