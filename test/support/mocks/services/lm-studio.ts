import { type ChatService, plainUsage } from "../chat-service.ts"

/**
 * LM Studio's server: ignores what it does not know; usage only where it is asked for; JSON by schema, not by mode.
 *
 * Sources: lmstudio.ai/docs/developer/openai-compat/chat-completions (parameters) and …/structured-output; shape of the chunks and
 * the missing usage without `stream_options`: lmstudio-js#320 (2025-05); `include_usage`: lmstudio.ai/docs/developer/api-changelog.
 */
export const lmStudio: ChatService = {
  name: "lm-studio",
  basePath: "/v1",
  keyVariable: null,
  models: ["qwen3-8b", "qwen3-4b"],
  fields: "",
  refuse: ({ response_format }) =>
    (response_format as { readonly type?: string } | undefined)?.type === "json_object"
      ? { status: 400, message: "'response_format.type' must be 'json_schema' or 'text'" }
      : null,
  wrongKey: { status: 401, message: "unauthorized" },
  wrongModel: (model) => ({ status: 404, message: `Model "${model}" not found`, code: "model_not_found" }),
  error: ({ message, status, type = "invalid_request_error", code = null }) =>
    status === 400 ? { error: message } : { error: { message, type, param: "model", code } },
  usage: plainUsage,
  usageIn: "chunk, when asked",
  chunk: { system_fingerprint: "qwen3-8b" },
  choice: { logprobs: null },
}
