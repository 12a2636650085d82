import type { Members } from "../../core/json-members.ts"
import { createCountReader, type UsageReading } from "./usage-reading.ts"

/**
 * Reads the last object of Ollama's own `/api/chat` and `/api/generate`. `prompt_eval_count` is missing when the whole prompt was in
 * its cache: not 0, but unknown.
 *
 * Source: ollama/ollama, docs/api.md.
 * @experimental
 */
export function readOllamaUsage(reply: Members): UsageReading {
  const { count, unusable } = createCountReader()
  return {
    usage: {
      promptTokens: count(reply, "prompt_eval_count"),
      cachedPromptTokens: null,
      completionTokens: count(reply, "eval_count"),
      reasoningTokens: null,
    },
    unusable,
    assumed: [],
  }
}

/**
 * Reads `timings` of llama.cpp's server, beside its chat completions and of its own `/completion`: `cache_n` tokens of the prompt
 * were there already, `prompt_n` were read.
 *
 * Source: ggml-org/llama.cpp, tools/server/README.md.
 * @experimental
 */
export function readLlamaTimings(timings: Members): UsageReading {
  const { count, unusable } = createCountReader()
  const read = count(timings, "prompt_n")
  const cached = count(timings, "cache_n")
  return {
    usage: {
      promptTokens: read === null ? null : read + (cached ?? 0),
      cachedPromptTokens: cached,
      completionTokens: count(timings, "predicted_n"),
      reasoningTokens: null,
    },
    unusable,
    assumed: [],
  }
}
