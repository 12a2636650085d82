import { EvalkitError } from "./errors.ts"
import type { Answer } from "./generation.ts"
import type { Outcome } from "./outcome.ts"

/** The finish reason by which older stores and records mark a given text. */
const olderMark = "given_text"

/**
 * An answer as it was written, also by versions that marked a given text by a finish reason instead of a field.
 * @public
 */
export function readGivenText<Written extends Pick<Answer, "finishReason" | "isGivenText">>(answer: Written): Written {
  return answer.finishReason === olderMark ? { ...answer, isGivenText: true, finishReason: null } : answer
}

/** A text could not be scored. Its outcome is that of the request, so that it is retried as any other. @public */
export class ScoringError extends EvalkitError {
  readonly outcome: Outcome
  readonly httpStatus: number | null

  constructor(
    why: string,
    facts: { readonly where: string; readonly outcome: Outcome; readonly httpStatus: number | null },
  ) {
    super(`The text could not be scored (${why})`, { code: "score_text_failed", where: facts.where })
    this.outcome = facts.outcome
    this.httpStatus = facts.httpStatus
  }
}
