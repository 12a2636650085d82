import { asMembers, asNumber, type Members } from "../../core/json-members.ts"
import type { Usage } from "../../core/usage.ts"
import { type CountReader, createCountReader, type UsageReading, used, usedUnits } from "./usage-reading.ts"

/**
 * Reads `usage` of chat completions as OpenAI, Azure and every service that follows them write it: Groq, Together, Mistral,
 * DeepSeek, OpenRouter, xAI, Perplexity, Moonshot, vLLM, SGLang, llama.cpp, Ollama, LM Studio, and the compatible endpoints of
 * Anthropic, Gemini and Cohere.
 *
 * Sources: `CompletionUsage` of openai/openai-openapi; api-docs.deepseek.com (cache hits at the top level);
 * openrouter.ai/docs/use-cases/usage-accounting (`cost`); docs.x.ai (`cost_in_usd_ticks`, reasoning beside the completion);
 * docs.perplexity.ai (`citation_tokens`, `num_search_queries`); docs.mistral.ai (`prompt_audio_seconds`); sgl-project/sglang
 * (`reasoning_tokens` at the top level); docs.litellm.ai/docs/completion/prompt_caching (`cache_creation_input_tokens`); platform.moonshot.ai and platform.claude.com/docs/en/api/openai-sdk (`cached_tokens` there).
 * @experimental
 */
export function readChatUsage(usage: Members): UsageReading {
  const { count, part, unusable } = createCountReader()
  const written = cacheWrites(usage, count)
  const stated = wholePrompt(usage, written.sum, count)
  const completion = count(usage, "completion_tokens")
  const totalTokens = count(usage, "total_tokens")
  const ofPrompt = asMembers(usage.prompt_tokens_details)
  const ofCompletion = asMembers(usage.completion_tokens_details)
  const reasoning = count(ofCompletion, "reasoning_tokens") ?? count(usage, "reasoning_tokens")
  const reads = firstOf(cacheReads(usage), count) ?? 0
  const writes = count(ofPrompt, "cache_write_tokens") ?? 0
  const cacheTokens = cacheBeside({ prompt: stated, completion, total: totalTokens, reasoning }, [
    reads,
    reads + writes,
  ])
  const promptTokens = stated === null ? null : stated + cacheTokens
  const beside = reasoningBeside(usage, { prompt: promptTokens, completion, total: totalTokens, reasoning })
  const completionTokens = completion === null ? null : completion + beside
  const cached = firstOf(cacheReads(usage), (members, name) => part(members, name, promptTokens))
  const uncached = promptTokens === null ? null : promptTokens - (cached ?? 0)
  return {
    usage: {
      promptTokens,
      cachedPromptTokens: cached,
      completionTokens,
      reasoningTokens:
        part({ reasoning_tokens: reasoning }, "reasoning_tokens", completionTokens) ?? (beside > 0 ? beside : null),
      ...used({
        cacheWriteTokens: part(ofPrompt, "cache_write_tokens", uncached) ?? part(written, "unnamed", uncached),
        cacheWrite5mTokens: part(written, "fiveMinutes", uncached),
        cacheWrite1hTokens: part(written, "oneHour", uncached),
        audioPromptTokens: part(ofPrompt, "audio_tokens", promptTokens),
        imagePromptTokens: part(ofPrompt, "image_tokens", promptTokens),
        videoPromptTokens: part(ofPrompt, "video_tokens", promptTokens),
        audioCompletionTokens: part(ofCompletion, "audio_tokens", completionTokens),
        imageCompletionTokens: part(ofCompletion, "image_tokens", completionTokens),
      }),
      ...usedUnits({
        webSearch: count(asMembers(usage.server_tool_use), "web_search_requests") ?? count(usage, "num_search_queries"),
        liveSearchSource: count(usage, "num_sources_used"),
        citationToken: count(usage, "citation_tokens"),
        audioSecond: typeof usage.prompt_audio_seconds === "number" ? count(usage, "prompt_audio_seconds") : null,
      }),
      ...readCharge(usage),
    },
    unusable,
    assumed: [
      ...((written.unnamed ?? 0) > 0 ? [assumedLifetime] : []),
      ...(beside > 0 && reasoning === null ? [assumedThinking] : []),
    ],
  }
}

/** Of writes whose lifetime nobody says. */
export const assumedLifetime = "cache writes came without a lifetime; they are taken as written for 5 minutes"

/** Of a total that holds more than its parts, none of which is named: Gemini's thoughts are counted so. */
const assumedThinking = "total_tokens is more than prompt and answer; the rest is taken as hidden thinking"

/** What gateways to Anthropic's models say of cache writes, in Anthropic's own words beside OpenAI's. */
function cacheWrites(usage: Members, count: CountReader["count"]) {
  const all = count(usage, "cache_creation_input_tokens")
  const byLifetime = asMembers(usage.cache_creation)
  const fiveMinutes = count(byLifetime, "ephemeral_5m_input_tokens")
  const oneHour = count(byLifetime, "ephemeral_1h_input_tokens")
  const named = (fiveMinutes ?? 0) + (oneHour ?? 0)
  const unnamed = all === null ? null : Math.max(0, all - named)
  return { fiveMinutes, oneHour, unnamed, sum: named + (unnamed ?? 0) }
}

/** Cache writes and reads in Anthropic's words stand beside `prompt_tokens` where they are more than it holds. */
function wholePrompt(usage: Members, written: number, count: CountReader["count"]): number | null {
  const prompt = count(usage, "prompt_tokens")
  if (prompt === null) return null
  const cacheTokens = written + (count(usage, "cache_read_input_tokens") ?? 0)
  return cacheTokens > prompt ? prompt + cacheTokens : prompt
}

/** Where cache reads stand: OpenAI; DeepSeek; Moonshot; Anthropic's words; xAI. */
function cacheReads(usage: Members): readonly (readonly [Members | null, string])[] {
  const names = ["prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens", "cached_prompt_text_tokens"]
  return [[asMembers(usage.prompt_tokens_details), "cached_tokens"], ...names.map((name) => [usage, name] as const)]
}

function firstOf(
  sources: ReturnType<typeof cacheReads>,
  read: (members: Members | null, name: string) => number | null,
): number | null {
  for (const [members, name] of sources) {
    const value = read(members, name)
    if (value !== null) return value
  }
  return null
}

/** What of the cache stands beside the prompt, as Anthropic counts it, in OpenAI's words: the total shows it. */
function cacheBeside({ prompt, completion, total, reasoning }: Counts, ofCache: readonly number[]): number {
  if (prompt === null || completion === null || total === null) return 0
  const rest = total - prompt - completion
  const isRest = (part: number) => rest === part + (reasoning ?? 0) || (rest === part && part !== reasoning)
  return ofCache.find((part) => part > 0 && isRest(part)) ?? 0
}

/** Counts of one call; null where they are not reported. */
interface Counts {
  readonly prompt: number | null
  readonly completion: number | null
  readonly total: number | null
  readonly reasoning: number | null
}

/**
 * Reasoning tokens belong inside completion tokens, as they are billed. xAI and Gemini count them beside: then prompt and
 * completion fall short of the total by what they left out, which Gemini does not even name; where no total is stated, more of them than the
 * completion has cannot be inside. Perplexity, which is known by its citations, counts them beside the total, too.
 */
function reasoningBeside(usage: Members, { prompt, completion, total, reasoning }: Counts): number {
  if (usage.citation_tokens !== undefined) return reasoning ?? 0
  if (prompt === null || completion === null) return 0
  if (total === null) return (reasoning ?? 0) > completion ? (reasoning ?? 0) : 0
  return Math.max(0, Math.min(total - prompt - completion, reasoning ?? Number.POSITIVE_INFINITY))
}

/**
 * What the service states that it charged, in dollars. OpenRouter: `cost`, and with a key of one's own for the model's provider, that
 * one charges apart. Perplexity: `cost.total_cost` beside its parts. xAI: ten thousand millionths.
 */
function readCharge(usage: Members): Pick<Usage, "chargedUsd"> {
  const ticks = asNumber(usage.cost_in_usd_ticks)
  if (ticks !== null && ticks >= 0) return { chargedUsd: ticks / ticksPerDollar }
  const byPart = asMembers(usage.cost)
  const summed = asNumber(byPart?.input_tokens_cost) === null ? null : asNumber(byPart?.total_cost)
  const charged = asNumber(usage.cost) ?? summed
  if (charged === null || charged < 0) return {}
  const upstream = usage.is_byok === true ? asNumber(asMembers(usage.cost_details)?.upstream_inference_cost) : null
  return { chargedUsd: charged + Math.max(0, upstream ?? 0) }
}

const ticksPerDollar = 1e10
