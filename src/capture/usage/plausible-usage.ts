import { type Usage, unknownUsage } from "../../core/usage.ts"
import type { UsageReading } from "./usage-reading.ts"

/** Words, numbers of three digits and runs of other signs: every tokenizer begins by cutting a text there. */
const pieces = /\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+/gu

/** Pieces that one token holds at most, over a whole answer: tokens of several words are in few vocabularies, and rare in a text. */
const maxPiecesPerToken = 3

/**
 * Whether so many tokens can be all of a text. None cannot where there is text, nor can far fewer than it has words. How many there are at
 * most cannot be told: thinking is hidden.
 *
 * @example canHold(1, "Paris is the capital.") // false
 */
export function canHold(tokens: number, text: string): boolean {
  if (text === "") return true
  if (tokens === 0) return false
  // The usual case needs no look at the words: each has a sign or more.
  if (tokens * maxPiecesPerToken >= text.length) return true
  let count = 0
  for (const _ of text.matchAll(pieces)) if (++count > tokens * maxPiecesPerToken) return false
  return true
}

/** Tokens beyond the limit that servers count for the end of an answer, and the share of the limit that rounding explains. */
const [endTokens, roundingShare] = [2, 0.02]

/**
 * Counts that cannot be true, taken as unknown: too few beside the text, more than the answer was allowed, none of a prompt, or fewer than
 * the cache had of it. They are named for people.
 *
 * @param maxTokens limit that was sent; absent: none, or one that thinking does not count against
 */
export function plausibleUsage(
  usage: Usage,
  text: string,
  maxTokens = Number.POSITIVE_INFINITY,
): { readonly usage: Usage; readonly unusable: readonly string[] } {
  const { completionTokens, promptTokens } = usage
  const max = maxTokens + Math.max(endTokens, roundingShare * maxTokens) + (usage.reasoningTokens ?? 0)
  const isWrong = completionTokens !== null && (completionTokens > max || !canHold(completionTokens, text))
  const isNone =
    promptTokens !== null && promptTokens < Math.max(completionTokens === null ? 0 : 1, usage.cachedPromptTokens ?? 0)
  if (!isWrong && !isNone) return { usage, unusable: [] }
  return {
    usage: {
      ...usage,
      ...(isWrong && { completionTokens: null }),
      ...(isNone && { promptTokens: null, cachedPromptTokens: null }),
    },
    unusable: [...(isNone ? ["prompt tokens"] : []), ...(isWrong ? ["completion tokens"] : [])],
  }
}

/**
 * The usage of an answer whose service stated it several times: the last that can be true, and what that leaves out, by those before it. A
 * count of none at the end, behind good ones, is no count.
 */
export function lastPlausible(readings: readonly UsageReading[], text: string): UsageReading {
  const last = readings.at(-1)
  if (!last) return { usage: unknownUsage, unusable: [], assumed: [] }
  const kept =
    readings
      .filter(({ usage: { completionTokens } }) => completionTokens !== null && canHold(completionTokens, text))
      .at(-1) ?? last
  const unusable = kept === last || isSilent(last) ? kept.unusable : [...kept.unusable, "usage at the end"]
  const usage = readings.reduceRight<Usage>((whole, { usage: before }) => fillIn(whole, before), kept.usage)
  return { usage, unusable, assumed: kept.assumed }
}

/** Whether it states no count at all. */
function isSilent({ usage }: UsageReading): boolean {
  return usage.completionTokens === null && usage.promptTokens === null
}

function fillIn(usage: Usage, before: Usage): Usage {
  return {
    ...before,
    ...usage,
    promptTokens: usage.promptTokens || (before.promptTokens ?? usage.promptTokens),
    cachedPromptTokens: usage.cachedPromptTokens ?? (usage.promptTokens ? null : before.cachedPromptTokens),
    completionTokens: usage.completionTokens ?? before.completionTokens,
    reasoningTokens: usage.reasoningTokens ?? (usage.completionTokens === null ? before.reasoningTokens : null),
  }
}
