import { EvalkitError } from "../errors.ts"

/**
 * Whether a service did what it was asked for: `refused` says that it did not, `later` that it did not and may when it is asked again,
 * `unclear` that nobody knows (no answer, an error of its own).
 * @public
 */
export type BatchFault = "refused" | "later" | "unclear"

/** A batch interface did not do what it was asked for. @public */
export class BatchError extends EvalkitError {
  readonly fault: BatchFault
  readonly retryAfterMs: number | null

  constructor(
    what: string,
    facts: { readonly fault: BatchFault; readonly where: string; readonly retryAfterMs?: number | null },
  ) {
    super(what, { code: `batch_${facts.fault}`, where: facts.where })
    this.fault = facts.fault
    this.retryAfterMs = facts.retryAfterMs ?? null
  }
}
