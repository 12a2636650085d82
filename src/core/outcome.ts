/** How a started request ended. Every one ends in exactly one class. @experimental */
export const outcomes = [
  "ok",
  "length",
  "refused",
  "empty",
  // A model that thinks in its text ended inside its thinking: it gave no answer.
  "thinking_only",
  // The token limit was reached before the answer began, as when a model spends all of it on thinking.
  "length_empty",
  // An agent had made as many steps as it may, and still called tools.
  "step_limit",
  // A conversation with a simulated user had as many turns as it may, and neither side had ended it.
  "turn_limit",
  // The model that plays the user failed: what the variant would have answered is not known.
  "user_failed",
  "truncated",
  "malformed",
  "stream_error",
  "http_4xx",
  "rate_limited",
  "http_5xx",
  "timeout_connect",
  "timeout_first_token",
  "timeout_gap",
  "timeout_total",
  "connection",
  // The user's own application (`fromFunction`) ended with an error.
  "application_error",
  // The service did not come to the request before its batch's time was over.
  "batch_expired",
  // The batch was cancelled before the service came to the request.
  "batch_cancelled",
  // The service refused or gave up the batch as a whole.
  "batch_failed",
  // The batch ended, and the service says nothing of the request.
  "batch_missing",
  "cancelled",
  "client_fault",
] as const

/** One of {@link outcomes}. @experimental */
export type Outcome = (typeof outcomes)[number]

/**
 * Whether no completed answer came: not even a refusal, an empty one or the end at a limit of steps or turns, which are the model's own
 * doing.
 * @experimental
 */
export function isFailure(outcome: Outcome): boolean {
  return !isAnswered(outcome) && !ownDoing.has(outcome)
}

const ownDoing: ReadonlySet<Outcome> = new Set<Outcome>([
  "refused",
  "empty",
  "thinking_only",
  "step_limit",
  "turn_limit",
])

/**
 * Statuses of a 4xx that pass with time, so that the same request may be sent again: a time limit (408), a conflict (409), too early (425), Groq's
 * and other gateways' full capacity (498).
 */
const ofTheMoment: ReadonlySet<number> = new Set([408, 409, 425, 498])

/** Whether a status refuses a request for the moment only, other than by a rate limit. @experimental */
export function passesWithTime(status: number | null): boolean {
  return status !== null && ofTheMoment.has(status)
}

/** Whether the request gave an answer whose latency counts (`ok`, `length`). @experimental */
export function isAnswered(outcome: Outcome): outcome is "ok" | "length" {
  return outcome === "ok" || outcome === "length"
}

/** Whether it says something of the variant: what was cancelled does not, nor an episode whose user, a model, failed. @experimental */
export function isOfVariant(outcome: Outcome): boolean {
  return outcome !== "cancelled" && outcome !== "batch_cancelled" && outcome !== "user_failed"
}

/** Whether the time that it took counts: answered, or an episode that came to the limit of its steps or turns. @experimental */
export function isTimedOutcome(outcome: Outcome): boolean {
  return isAnswered(outcome) || outcome === "step_limit" || outcome === "turn_limit"
}
