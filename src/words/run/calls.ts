/** How the calls of a run ended. */
export const callWords = {
  noIdentity: "what the variant is cannot be written down: identity of the provider, of the prompt, or parameters",
  firstCalls: (reason: string) => `its first calls failed: ${reason}`,
  serverChanged: (before: string, now: string) =>
    `server: it says that it serves something else than in an earlier part of the run (${before}, now ${now})`,
  logprobs: "log-probabilities were asked for: they can halve a local model's decode speed",
  batchesLeft: (batches: string) => `; ${batches} left at the service, fetch the answers`,
  noneAnswered: (variants: string) => `no call of ${variants} was answered`,
  notScored: (stop: string) => `not every answer is scored: ${stop}`,
  unanswered: (missing: number, planned: number, reason: string) =>
    `${missing} of ${planned} calls have no answer: ${reason}`,
  notOnRecord: "why is not on record",
} as const
