import { asMembers, type Members } from "../../core/json-members.ts"
import { createCountReader, type UsageReading, usedUnits } from "./usage-reading.ts"

/**
 * Reads `usage` of Cohere's v2 chat (`meta` of its rerank and embed has the same shape). What is billed is `billed_units`; `tokens`
 * also counts the frame that Cohere puts around the prompt. `cached_tokens` is left out, because it is not said whether billed
 * units hold them.
 *
 * Sources: `Usage` of cohere-ai/cohere-typescript; docs.cohere.com/reference/chat.
 * @experimental
 */
export function readCohereUsage(usage: Members): UsageReading {
  const { count, unusable } = createCountReader()
  const billed = asMembers(usage.billed_units)
  const tokens = asMembers(usage.tokens)
  const promptTokens = count(billed, "input_tokens")
  const completionTokens = count(billed, "output_tokens")
  const fallsBack = billed === null && tokens !== null
  return {
    usage: {
      promptTokens: fallsBack ? count(tokens, "input_tokens") : promptTokens,
      cachedPromptTokens: null,
      completionTokens: fallsBack ? count(tokens, "output_tokens") : completionTokens,
      reasoningTokens: null,
      ...usedUnits({ searchUnit: count(billed, "search_units"), classification: count(billed, "classifications") }),
    },
    unusable,
    assumed: fallsBack ? ["no billed units were reported: all tokens are taken as billed"] : [],
  }
}
