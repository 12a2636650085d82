import type { Answer } from "../../core/generation.ts"

/** The same answer, its failure with what would cure it. */
export function withHint(answer: Answer, hint: string): Answer {
  if (hint === "" || answer.failure === null) return answer
  return { ...answer, failure: { ...answer.failure, message: `${answer.failure.message}; ${hint}` } }
}
