import { type ChatService, openaiError, plainUsage } from "../chat-service.ts"

/**
 * Ollama's `/v1`: ignores what it does not know (Go's decoder does), three counts in a chunk of their own where they are asked for.
 *
 * Source: ollama/ollama 00988753, openai/openai.go: `ChatCompletionRequest` (no `max_completion_tokens`, no log-probabilities),
 * `ChunkChoice`, `Usage`, `NewError`; a model that is not pulled: docs.ollama.com/api/errors.
 */
export const ollama: ChatService = {
  name: "ollama",
  basePath: "/v1",
  keyVariable: null,
  models: ["llama3.1:8b", "llama3.2:3b"],
  fields: "",
  wrongKey: { status: 401, message: "unauthorized" },
  wrongModel: (model) => ({
    status: 404,
    message: `model "${model}" not found, try pulling it first`,
    type: "not_found_error",
  }),
  error: openaiError,
  usage: plainUsage,
  usageIn: "chunk, when asked",
  chunk: { system_fingerprint: "fp_ollama" },
}
