import type { ReadEvents } from "../../capture/read-answer.ts"
import { readReply } from "../../capture/read-reply.ts"
import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import type { Answer } from "../../core/generation.ts"
import type { Outcome } from "../../core/outcome.ts"
import { bound } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"

/** What came of one request: the reply that a live call without a stream would have had. */
export interface BatchedReply {
  readonly status: number
  /** JSON text. */
  readonly body: string
  /** Default: as OpenAI's chat completions. */
  readonly read?: ReadEvents
}

/**
 * The answer of a reply, read as a live one is. It has no stamps, for nothing was timed, and its usage says that it was served in a
 * batch, which has rates of its own.
 */
export function batchedAnswer({ status, body, read }: BatchedReply): Answer {
  const answer = readReply({ status, body, read, transport: "batch" })
  const isBilled = answer.usage.promptTokens !== null || answer.usage.completionTokens !== null
  return isBilled ? { ...answer, usage: { ...answer.usage, serviceTier: "batch" } } : answer
}

/** A request that the service did not come to, or says nothing of. */
export function unansweredInBatch(outcome: Extract<Outcome, `batch_${string}`>, message: string): Answer {
  const words = bound(redactSecrets(message))
  return bareAnswer({ outcome, log: unsentLog(0, 0), failure: { message: words, code: outcome } })
}
