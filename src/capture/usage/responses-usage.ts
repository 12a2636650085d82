import { asList, asMembers, type Members } from "../../core/json-members.ts"
import { createCountReader, tierOf, type UsageReading, used, usedUnits } from "./usage-reading.ts"

/**
 * Reads a whole response of OpenAI's Responses API (also Azure's, vLLM's), or what has its usage: images, and `response.done` of the
 * realtime API, whose details are spelled `input_token_details`. Searches are counted by the calls in `output`.
 *
 * Sources: `ResponseUsage` of openai/openai-openapi; developers.openai.com/api/reference (images, realtime).
 * @experimental
 */
export function readResponsesUsage(response: Members): UsageReading {
  const usage = asMembers(response.usage) ?? {}
  const { count, part, unusable } = createCountReader()
  const promptTokens = count(usage, "input_tokens")
  const completionTokens = count(usage, "output_tokens")
  const ofPrompt = asMembers(usage.input_tokens_details) ?? asMembers(usage.input_token_details)
  const ofCompletion = asMembers(usage.output_tokens_details) ?? asMembers(usage.output_token_details)
  const ofCached = asMembers(ofPrompt?.cached_tokens_details)
  const cached = part(ofPrompt, "cached_tokens", promptTokens)
  const uncached = promptTokens === null ? null : promptTokens - (cached ?? 0)
  return {
    usage: {
      promptTokens,
      cachedPromptTokens: cached,
      completionTokens,
      reasoningTokens: part(ofCompletion, "reasoning_tokens", completionTokens),
      ...used({
        cacheWriteTokens: part(ofPrompt, "cache_write_tokens", uncached),
        audioPromptTokens: part(ofPrompt, "audio_tokens", promptTokens),
        imagePromptTokens: part(ofPrompt, "image_tokens", promptTokens),
        cachedAudioPromptTokens: part(ofCached, "audio_tokens", cached),
        cachedImagePromptTokens: part(ofCached, "image_tokens", cached),
        audioCompletionTokens: part(ofCompletion, "audio_tokens", completionTokens),
        imageCompletionTokens: part(ofCompletion, "image_tokens", completionTokens),
      }),
      ...usedUnits({ webSearch: searches(response.output), fileSearch: calls(response.output, "file_search_call") }),
      ...tierOf(response.service_tier),
    },
    unusable,
    assumed: [],
  }
}

/** Opening a page that was found is no search. */
function searches(output: unknown): number {
  return asList(output).filter((item) => {
    const members = asMembers(item)
    const action = asMembers(members?.action)?.type ?? "search"
    return members?.type === "web_search_call" && action === "search"
  }).length
}

function calls(output: unknown, type: string): number {
  return asList(output).filter((item) => asMembers(item)?.type === type).length
}
