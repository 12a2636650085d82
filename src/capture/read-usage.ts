import type { Usage } from "../core/usage.ts"
import { asMembers, asNumber, type Members } from "./json-access.ts"

/** More tokens than any model holds: a count beyond is an error of the server, not a count. */
const mostTokens = 100_000_000

/**
 * Token counts of a `usage` object. A count that cannot be one (negative, a fraction, a text, absurdly large, more cached tokens
 * than there are) is not reported, and its name is in `unusable`. DeepSeek names its cache hits at the top level.
 */
export function readUsage(usage: Members): Usage & { readonly unusable: readonly string[] } {
  const unusable: string[] = []
  const count = (members: Members | null, name: string): number | null => {
    const value = members?.[name]
    if (value === undefined || value === null) return null
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostTokens) return value
    unusable.push(name)
    return null
  }
  const promptTokens = count(usage, "prompt_tokens")
  const completionTokens = count(usage, "completion_tokens")
  const totalTokens = count(usage, "total_tokens")
  const reasoningTokens = count(asMembers(usage.completion_tokens_details), "reasoning_tokens")
  const beside = reasoningBeside(promptTokens, completionTokens, totalTokens, reasoningTokens)
  const cached =
    count(asMembers(usage.prompt_tokens_details), "cached_tokens") ?? count(usage, "prompt_cache_hit_tokens")
  const isPart = cached === null || promptTokens === null || cached <= promptTokens
  if (!isPart) unusable.push("cached_tokens")
  return {
    promptTokens,
    cachedPromptTokens: isPart ? cached : null,
    completionTokens: completionTokens === null ? null : completionTokens + beside,
    reasoningTokens: reasoningTokens ?? (beside > 0 ? beside : null),
    ...readCharge(usage),
    unusable,
  }
}

/**
 * Reasoning tokens belong inside completion tokens, as they are billed. xAI and Gemini count them beside: then prompt and
 * completion fall short of the total by what they left out, which Gemini does not even name.
 */
function reasoningBeside(
  prompt: number | null,
  completion: number | null,
  total: number | null,
  reasoningTokens: number | null,
): number {
  if (prompt === null || completion === null || total === null) return 0
  return Math.max(0, Math.min(total - prompt - completion, reasoningTokens ?? Number.POSITIVE_INFINITY))
}

/** OpenRouter states what it charged, in dollars; with a key of one's own for the model's provider, that one charges apart. */
function readCharge(usage: Members): Pick<Usage, "chargedUsd"> {
  const charged = asNumber(usage.cost)
  if (charged === null || charged < 0) return {}
  const upstream = usage.is_byok === true ? asNumber(asMembers(usage.cost_details)?.upstream_inference_cost) : null
  return { chargedUsd: charged + Math.max(0, upstream ?? 0) }
}
