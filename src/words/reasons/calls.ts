/** Why a call was not made, or has no answer. */
export const callReasons = {
  givenUp: (failures: number, last: string) => `given up after ${failures} failures in a row${last && `: ${last}`}`,
  unrecorded: "not asked: why is not on record",
  noReason: "no reason was given",
  longWait: (wait: string, limit: string, failure: string) =>
    `the service asks to wait ${wait}, and a run waits ${limit} at most: ${failure}`,
  allRefused: (failure: string) => `every request is refused: ${failure}`,
  noEnd: (limitMs: number) => `the provider did not end within ${limitMs / 1000} s`,
  providerError: (error: string) => `the provider ended with an error: ${error}`,
} as const

/**
 * An answer whose limit was reached before a word of it was written.
 *
 * @param thinkingTokens tokens that the model spent on thinking; null: not known, or none
 */
export function emptyAnswerReason(maxTokens: number | undefined, thinkingTokens: number | null): string {
  const limit = maxTokens === undefined ? "the token limit" : `the limit of ${maxTokens} tokens`
  const spent = thinkingTokens ? ` (${thinkingTokens} of them on thinking)` : ""
  return `${limit} was reached before the answer began${spent}: raise maxTokens`
}

/** What a prompt says of the form of its answer where the request cannot. */
export function jsonInstruction(schema: string): string {
  return `Answer with JSON alone, without a code fence, that follows this JSON schema:\n${schema}`
}

/** What stands for the first words of a simulated user until it has said them. */
export const openingMessage = "(the first words of the simulated user)"
