import type { Answer, Generation } from "../core/generation.ts"

/**
 * Tokens and alternatives that are kept of one answer, at most: 95,000 tokens with 20 alternatives each. Unpacked they take about
 * 140 MB, on disk 8 to 16.
 */
export const maxLogprobs = 2_000_000
/** Characters of their texts. */
const maxCharacters = 20_000_000

/**
 * What of an answer's log-probabilities is kept: all, the tokens without their alternatives, or nothing, each with what was left
 * out. Whoever asks for them unpacks those of one answer at a time, and that must fit into memory.
 */
export function boundLogprobs(
  logprobs: Answer["logprobs"],
  max: number = maxLogprobs,
): Pick<Generation, "logprobs" | "cutLogprobs"> {
  if (logprobs === null) return { logprobs }
  let entries = logprobs.length
  let ofTokens = 0
  let ofAlternatives = 0
  for (const { token, top } of logprobs) {
    entries += top.length
    ofTokens += token.length
    for (const other of top) ofAlternatives += other.token.length
  }
  if (entries <= max && ofTokens + ofAlternatives <= maxCharacters) return { logprobs }
  if (logprobs.length > max || ofTokens > maxCharacters) return { logprobs: null, cutLogprobs: "all" }
  return { logprobs: logprobs.map((entry) => ({ ...entry, top: [] })), cutLogprobs: "alternatives" }
}
