import { asMembers, type Members } from "../../core/json-members.ts"
import type { Usage } from "../../core/usage.ts"
import { assumedLifetime } from "./chat-usage.ts"
import { createCountReader, tierOf, type UsageReading, used, usedUnits } from "./usage-reading.ts"

/**
 * Reads `usage` of Anthropic's Messages (also on Bedrock, Vertex and Foundry). `input_tokens` leaves out what was read from the cache
 * or written into it; `output_tokens` holds the thinking. Of a stream, read {@link mergeAnthropicUsage}.
 *
 * Sources: `Usage` of anthropics/anthropic-sdk-typescript; platform.claude.com/docs/en/build-with-claude/prompt-caching.
 * @experimental
 */
export function readAnthropicUsage(usage: Members): UsageReading {
  const { count, unusable } = createCountReader()
  const assumed: string[] = []
  const fresh = count(usage, "input_tokens")
  const cached = count(usage, "cache_read_input_tokens")
  const written = count(usage, "cache_creation_input_tokens")
  const byLifetime = asMembers(usage.cache_creation)
  let fiveMinutes = count(byLifetime, "ephemeral_5m_input_tokens")
  const oneHour = count(byLifetime, "ephemeral_1h_input_tokens")
  const named = (fiveMinutes ?? 0) + (oneHour ?? 0)
  if (written !== null && written > named) {
    fiveMinutes = (fiveMinutes ?? 0) + written - named
    assumed.push(assumedLifetime)
  }
  const completionTokens = count(usage, "output_tokens")
  return {
    usage: {
      promptTokens: fresh === null ? null : fresh + (cached ?? 0) + (fiveMinutes ?? 0) + (oneHour ?? 0),
      cachedPromptTokens: cached,
      completionTokens,
      reasoningTokens: count(asMembers(usage.output_tokens_details), "thinking_tokens"),
      ...used({ cacheWrite5mTokens: fiveMinutes, cacheWrite1hTokens: oneHour }),
      ...usedUnits(requestsOf(usage.server_tool_use, count)),
      ...tierOf(usage.service_tier),
      ...regionOf(usage.inference_geo),
      ...(usage.speed === "fast" ? { speed: "fast" } : {}),
    },
    unusable,
    assumed,
  }
}

/**
 * The usage of a stream: that of `message_start` with what `message_delta` says later, which leaves out lifetimes, tier and region. A
 * stream without a `message_delta` broke off: its output is unknown, because `message_start` counts the first token only.
 * @experimental
 */
export function mergeAnthropicUsage(start: Members | null, delta: Members | null): Members {
  const { output_tokens: _first, ...begun } = start ?? {}
  const stated = Object.entries(delta ?? {}).filter(
    ([name, value]) => value !== null && value !== undefined && !hasFallen(begun[name], value),
  )
  return { ...begun, ...Object.fromEntries(stated) }
}

/** A prompt does not shrink: bridges from other interfaces state a 0 at the end for what they stated at the beginning. */
function hasFallen(before: unknown, now: unknown): boolean {
  return typeof before === "number" && typeof now === "number" && now < before
}

/** `web_search_requests: 2` → `webSearch: 2`, for any tool of the service. */
function requestsOf(
  value: unknown,
  count: (members: Members, name: string) => number | null,
): Record<string, number | null> {
  const members = asMembers(value) ?? {}
  const names = Object.keys(members).filter((name) => /^[a-z_]{1,40}_requests$/.test(name))
  return Object.fromEntries(
    names.map((name) => [
      name.slice(0, -"_requests".length).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      count(members, name),
    ]),
  )
}

/** Only some regions have a price of their own. */
function regionOf(value: unknown): Pick<Usage, "region"> {
  if (typeof value !== "string" || value === "" || value === "global" || value === "not_available") return {}
  return { region: value.slice(0, 40) }
}
