import type { VariantState } from "../core/run/run-record.ts"
import { counted } from "../words/number.ts"

/** Why calls that are left of a variant were not made. */
export function givenUpNotes(state: VariantState | null, left: number): string[] {
  if (state?.givenUp === undefined || left <= 0) return []
  return [`not asked: ${left === 1 ? "1 call was" : `${left} calls were`} not made: ${state.givenUp}`]
}

/** Log-probabilities that were too many to be kept. */
export function cutNotes({ alternatives, all }: { readonly alternatives: number; readonly all: number }): string[] {
  const why = "they were more than are kept of one answer"
  return [
    ...(alternatives > 0
      ? [`log-probabilities: without the alternatives in ${counted(alternatives, "answer")}, ${why}`]
      : []),
    ...(all > 0 ? [`log-probabilities: left out of ${counted(all, "answer")}, ${why}`] : []),
  ]
}

/** What is marked in an answer. */
export const answerWords = {
  readBy: (rule: string, read: string) => `read by the rule "${rule}": ${read}`,
  readInTwoWays: (rule: string, read: string, strict: string, lenient: string) =>
    `read in two ways by the rule "${rule}": ${read} (strict: ${strict}, lenient: ${lenient})`,
  surprising: (nats: string, textNats: string, token: string, tokenNats: string) =>
    `${nats} nats a token, where the text has ${textNats}; most surprising: "${token}" (${tokenNats} nats)`,
} as const
