import { asList, asMembers, asText, type Members } from "../../core/json-members.ts"
import { createCountReader, tierOf, type UsageReading, used } from "./usage-reading.ts"

/**
 * Reads a whole reply of Bedrock's Converse, or the `metadata` event of a stream. `inputTokens` leaves out what was read from the
 * cache or written into it; writes come by lifetime where `cacheDetails` names it, else they are of five minutes.
 *
 * Sources: `TokenUsage` of docs.aws.amazon.com/bedrock/latest/APIReference.
 * @experimental
 */
export function readBedrockUsage(reply: Members): UsageReading {
  const usage = asMembers(reply.usage) ?? {}
  const { count, unusable } = createCountReader()
  const fresh = count(usage, "inputTokens")
  const cached = count(usage, "cacheReadInputTokens")
  const written = count(usage, "cacheWriteInputTokens") ?? 0
  let oneHour = 0
  for (const item of asList(usage.cacheDetails)) {
    const detail = asMembers(item)
    if (asText(detail?.ttl) === "1h") oneHour += count(detail, "inputTokens") ?? 0
  }
  oneHour = Math.min(oneHour, written)
  return {
    usage: {
      promptTokens: fresh === null ? null : fresh + (cached ?? 0) + written,
      cachedPromptTokens: cached,
      completionTokens: count(usage, "outputTokens"),
      reasoningTokens: null,
      ...used({ cacheWrite5mTokens: written - oneHour, cacheWrite1hTokens: oneHour }),
      ...tierOf(asMembers(reply.serviceTier)?.type),
    },
    unusable,
    assumed: [],
  }
}
