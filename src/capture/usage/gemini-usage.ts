import { asList, asMembers, asText, type Members } from "../../core/json-members.ts"
import { createCountReader, tierOf, type UsageReading, used, usedUnits } from "./usage-reading.ts"

/**
 * Reads a whole reply of Gemini's `generateContent`, or the last chunk of a stream. Thoughts stand beside the candidates, results of
 * built-in tools beside the prompt; both are billed. A reply without candidates (only thoughts, or a refused prompt) has no
 * `candidatesTokenCount`.
 *
 * Sources: `UsageMetadata` of googleapis/js-genai; ai.google.dev/api/generate-content.
 * @experimental
 */
export function readGeminiUsage(reply: Members): UsageReading {
  const usage = asMembers(reply.usageMetadata) ?? {}
  const { count, part, unusable } = createCountReader()
  const prompt = count(usage, "promptTokenCount")
  const tools = count(usage, "toolUsePromptTokenCount")
  const promptTokens = prompt === null ? null : prompt + (tools ?? 0)
  const candidates = count(usage, "candidatesTokenCount")
  const thoughts = count(usage, "thoughtsTokenCount")
  const total = count(usage, "totalTokenCount")
  const nothingWritten = candidates === null && thoughts === null && promptTokens !== null && total === promptTokens
  const completionTokens =
    candidates === null && thoughts === null ? (nothingWritten ? 0 : null) : (candidates ?? 0) + (thoughts ?? 0)
  const cached = part(usage, "cachedContentTokenCount", promptTokens)
  const sums = (name: string, whole: number | null, ...modalities: string[]) =>
    part({ [name]: modalityTokens(usage[name], modalities, count) }, name, whole)
  const tooled = (...modalities: string[]) => modalityTokens(usage.toolUsePromptTokensDetails, modalities, count) ?? 0
  const ofPrompt = (...modalities: string[]) => {
    const own = sums("promptTokensDetails", promptTokens, ...modalities)
    return (own ?? 0) + tooled(...modalities)
  }
  return {
    usage: {
      promptTokens,
      cachedPromptTokens: cached,
      completionTokens,
      reasoningTokens: thoughts,
      ...used({
        audioPromptTokens: ofPrompt("AUDIO"),
        // Pages of documents are read as images.
        imagePromptTokens: ofPrompt("IMAGE", "DOCUMENT"),
        videoPromptTokens: ofPrompt("VIDEO"),
        cachedAudioPromptTokens: sums("cacheTokensDetails", cached, "AUDIO"),
        cachedImagePromptTokens: sums("cacheTokensDetails", cached, "IMAGE", "DOCUMENT"),
        cachedVideoPromptTokens: sums("cacheTokensDetails", cached, "VIDEO"),
        audioCompletionTokens: sums("candidatesTokensDetails", candidates, "AUDIO"),
        imageCompletionTokens: sums("candidatesTokensDetails", candidates, "IMAGE"),
      }),
      ...usedUnits({ webSearch: searches(reply) }),
      ...tierOf(tierName(reply, usage)),
    },
    unusable,
    assumed: [],
  }
}

function modalityTokens(
  details: unknown,
  modalities: readonly string[],
  count: (members: Members, name: string) => number | null,
): number | null {
  let sum: number | null = null
  for (const item of asList(details)) {
    const members = asMembers(item)
    if (!members || !modalities.includes(asText(members.modality))) continue
    sum = (sum ?? 0) + (count(members, "tokenCount") ?? 0)
  }
  return sum
}

/** Queries that were sent to the search: each is billed, or each prompt that led to one. */
function searches(reply: Members): number {
  let queries = 0
  for (const candidate of asList(reply.candidates)) {
    const grounding = asMembers(asMembers(candidate)?.groundingMetadata)
    queries += asList(grounding?.webSearchQueries).length
  }
  return queries
}

/** Gemini states `serviceTier`, Vertex `trafficType` (`ON_DEMAND_FLEX`). */
function tierName(reply: Members, usage: Members): string {
  const stated = asText(usage.serviceTier) || asText(reply.serviceTier)
  return (
    stated ||
    asText(usage.trafficType)
      .replace(/^ON_DEMAND_/, "")
      .replace(/^TRAFFIC_TYPE_/, "")
  )
}
