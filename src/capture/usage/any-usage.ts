import type { Members } from "../../core/json-members.ts"
import { unknownUsage } from "../../core/usage.ts"
import { readAnthropicUsage } from "./anthropic-usage.ts"
import { readBedrockUsage } from "./bedrock-usage.ts"
import { readChatUsage } from "./chat-usage.ts"
import { readCohereUsage } from "./cohere-usage.ts"
import { readGeminiUsage } from "./gemini-usage.ts"
import { readLlamaTimings, readOllamaUsage } from "./local-usage.ts"
import { readResponsesUsage } from "./responses-usage.ts"
import { createCountReader, type UsageReading } from "./usage-reading.ts"

/**
 * Reads a usage object whose service is not known, by the names of its counts: our own, OpenAI's (Chat and Responses), Anthropic's,
 * Bedrock's, Cohere's, Gemini's, Ollama's or llama.cpp's. What an application or a gateway hands on as its client gave it.
 */
export function readAnyUsage(usage: Members): UsageReading {
  if ("promptTokens" in usage || "completionTokens" in usage) return readOwnUsage(usage)
  if ("promptTokenCount" in usage) return readGeminiUsage({ usageMetadata: usage })
  if ("inputTokens" in usage || "outputTokens" in usage) return readBedrockUsage({ usage })
  if ("billed_units" in usage) return readCohereUsage(usage)
  if ("eval_count" in usage || "prompt_eval_count" in usage) return readOllamaUsage(usage)
  if ("predicted_n" in usage || "prompt_n" in usage) return readLlamaTimings(usage)
  if ("input_tokens_details" in usage) return readResponsesUsage({ usage })
  return "input_tokens" in usage ? readAnthropicUsage(usage) : readChatUsage(usage)
}

function readOwnUsage(members: Members): UsageReading {
  const { count, part, unusable } = createCountReader()
  const promptTokens = count(members, "promptTokens")
  const completionTokens = count(members, "completionTokens")
  const usage = {
    ...unknownUsage,
    promptTokens,
    completionTokens,
    cachedPromptTokens: part(members, "cachedPromptTokens", promptTokens),
    reasoningTokens: part(members, "reasoningTokens", completionTokens),
  }
  return { usage, unusable, assumed: [] }
}
