/**
 * Token counts as the server reported them. `null` is "not reported", never 0. Reasoning tokens are inside completion tokens.
 * @experimental
 */
export interface Usage {
  readonly promptTokens: number | null
  readonly cachedPromptTokens: number | null
  readonly completionTokens: number | null
  readonly reasoningTokens: number | null
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
