import { type ChatService, openaiUsage } from "../chat-service.ts"

/**
 * OpenRouter: drops what the model behind it does not take, sends comments while it waits, and states what it charges.
 *
 * Sources: `ChatRequest$Outbound`, `ChatUsage` and `ChatStreamChunk` of OpenRouterTeam/typescript-sdk cb9393a (2026-08-22);
 * openrouter.ai/docs/api-reference/streaming (comments); a last chunk with usage and without choices: Effect-TS/effect#6117 (2026-03);
 * openrouter.ai/docs/api-reference/errors. What is charged here is the makers' list price.
 */
export const openrouter: ChatService = {
  name: "openrouter",
  basePath: "/api/v1",
  keyVariable: "OPENROUTER_API_KEY",
  models: ["openai/gpt-4.1", "openai/gpt-4.1-mini"],
  fields: "",
  wrongKey: { status: 401, message: "No auth credentials found", code: 401 },
  wrongModel: (model) => ({ status: 400, message: `${model} is not a valid model ID`, code: 400 }),
  error: ({ message, status, code = status }) => ({ error: { message, code }, user_id: "user_1" }),
  caches: true,
  usage: (counts) => ({
    ...openaiUsage(counts),
    cost: chargeOf(counts),
    is_byok: false,
    cost_details: { upstream_inference_cost: chargeOf(counts) },
  }),
  usageIn: "chunk",
  chunk: { provider: "OpenAI", system_fingerprint: "fp_1" },
  choice: { native_finish_reason: null, logprobs: null },
  comment: "OPENROUTER PROCESSING",
  // One price for both models: what is charged cannot be found in the price book.
  rates: { "openai/gpt-4.1": [2, 0.5, 8], "openai/gpt-4.1-mini": [2, 0.5, 8] },
}

function chargeOf({ prompt, cached, thinking, text }: Parameters<ChatService["usage"]>[0]): number {
  return ((prompt - cached) * 2 + cached * 0.5 + (thinking + text) * 8) / 1e6
}
