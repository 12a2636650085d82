import type { Answer } from "../core/generation.ts"
import { emptyAnswerReason } from "../words/reasons/calls.ts"

/**
 * An answer that ended at its token limit before a word of it was written has failed: it is no wrong answer, and scoring it
 * as one would hide that its limit was too low. Everything else is left as it is, texts that were only to be scored, too.
 *
 * @param maxTokens the limit that was asked for, if any
 */
export function failWhenNothingBegan<Given extends Answer>(answer: Given, maxTokens: number | undefined): Given {
  const { outcome, text, toolCalls, usage, reasoning } = answer
  if (outcome !== "length" || answer.isGivenText || toolCalls.length > 0) return answer
  if (text.trim() !== "") return answer
  const thought = usage.reasoningTokens ?? (reasoning === "" ? null : usage.completionTokens)
  const message = emptyAnswerReason(maxTokens, thought)
  return { ...answer, outcome: "length_empty", failure: { message, code: "length_empty" } }
}
