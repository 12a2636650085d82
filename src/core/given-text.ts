import { EvalkitError } from "./errors.ts"
import type { Outcome } from "./outcome.ts"

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
