import { asMembers, asNumber } from "../../core/json-members.ts"
import { type Usage, unknownUsage } from "../../core/usage.ts"

/**
 * Counts of a call as the AI SDK gives them: objects of classes in specification v3, plain numbers in v2. What is not there is unknown, and
 * so is what is no count.
 *
 * @example readAiSdkUsage({ inputTokens: 12, outputTokens: 5 }).completionTokens // 5
 */
export function readAiSdkUsage(given: unknown): Usage {
  const usage = asMembers(given)
  if (!usage) return unknownUsage
  const input = asMembers(usage.inputTokens)
  const output = asMembers(usage.outputTokens)
  const written = count(input?.cacheWrite)
  return {
    promptTokens: count(input ? input.total : usage.inputTokens),
    cachedPromptTokens: count(input ? input.cacheRead : usage.cachedInputTokens),
    completionTokens: count(output ? output.total : usage.outputTokens),
    reasoningTokens: count(output ? output.reasoning : usage.reasoningTokens),
    ...(written !== null && written > 0 && { cacheWriteTokens: written }),
  }
}

function count(value: unknown): number | null {
  const number = asNumber(value)
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null
}
