/**
 * What one call used, as the service reported it, in one shape for all services. `null` or an absent field is "not reported",
 * never 0. All counts are whole tokens.
 *
 * `promptTokens` is everything that was read and `completionTokens` everything that was written; every other count of tokens is a
 * part of one of the two, so that nothing is priced twice. Parts of the prompt do not overlap, but for
 * `cachedAudioPromptTokens` and its like, which are inside both classes that their names hold. A class of which nothing was used may
 * be absent.
 * @experimental
 */
export interface Usage {
  /** The whole prompt, cache reads and writes, audio, images and the results of built-in tools included. */
  readonly promptTokens: number | null
  /** Of the prompt: read from the provider's cache. */
  readonly cachedPromptTokens: number | null
  /** The whole answer, reasoning included. */
  readonly completionTokens: number | null
  /** Of the answer: reasoning, also where it was not shown. */
  readonly reasoningTokens: number | null
  /** Of the prompt: written into the cache for five minutes. */
  readonly cacheWrite5mTokens?: number
  /** Of the prompt: written into the cache for one hour. */
  readonly cacheWrite1hTokens?: number
  /** Of the prompt: written into the cache, and the service says no lifetime (it has one only, or its usual one). */
  readonly cacheWriteTokens?: number
  readonly audioPromptTokens?: number
  readonly imagePromptTokens?: number
  readonly videoPromptTokens?: number
  readonly cachedAudioPromptTokens?: number
  readonly cachedImagePromptTokens?: number
  readonly cachedVideoPromptTokens?: number
  /** Of the answer. */
  readonly audioCompletionTokens?: number
  readonly imageCompletionTokens?: number
  /** What else is billed by the piece: `webSearch`, `webFetch`, `searchUnit`, `audioSecond` … */
  readonly units?: Readonly<Record<string, number>>
  /** Tier that the service says it served the call in: `batch`, `flex`, `priority` …; absent for the usual one. */
  readonly serviceTier?: string
  /** Region that the service says it served the call in, where a region has a price of its own (`us`). */
  readonly region?: string
  /** Speed that the service says it served the call at, where a speed has a price of its own (`fast`). */
  readonly speed?: string
  /** What the service says that it charged for the call, in US dollars (OpenRouter's `usage.cost`); absent where it says nothing. */
  readonly chargedUsd?: number
}

/** Nothing was reported. @experimental */
export const unknownUsage: Usage = {
  promptTokens: null,
  cachedPromptTokens: null,
  completionTokens: null,
  reasoningTokens: null,
}

/** Fields of {@link Usage} that count a part of the prompt or of the answer and may be absent. */
export const usageParts = [
  "cacheWrite5mTokens",
  "cacheWrite1hTokens",
  "cacheWriteTokens",
  "audioPromptTokens",
  "imagePromptTokens",
  "videoPromptTokens",
  "cachedAudioPromptTokens",
  "cachedImagePromptTokens",
  "cachedVideoPromptTokens",
  "audioCompletionTokens",
  "imageCompletionTokens",
] as const satisfies readonly (keyof Usage)[]

/** Tokens of prompt and answer together; null where either is unknown. */
export function totalTokens({ promptTokens, completionTokens }: Usage): number | null {
  return promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens
}
