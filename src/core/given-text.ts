import { EvalkitError } from "./errors.ts"
import type { Outcome } from "./outcome.ts"

/**
 * The finish reason of an answer that is a given text with its log-probabilities: nothing was generated, the model was only
 * asked how likely the text is. Figures of given texts tell such answers from the model's own by it.
 */
export const givenText = "given_text"

/** A text could not be scored. Its outcome is that of the request, so that it is retried as any other. */
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
