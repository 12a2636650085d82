/** What metrics and judges were asked. */
export const judgingWords = {
  firstAnswer: (metric: string, reason: string) => `${metric} could not measure the first answer: ${reason}`,
  firstCall: (metric: string, words: string) => `the first call to every judge or encoder failed: ${metric}: ${words}`,
  without: (judge: string, parameters: string) =>
    `${judge} was asked without ${parameters}, which its endpoint refuses or does not offer`,
  asMeant: "judges were asked with their parameters",
} as const

/** Notes of a run under way. */
export const runNotes = {
  threadEnded: (error: string) => `a thread that reads answers ended: ${error}; the rest is read without threads`,
  stored: "a stored metric is not measured again",
  clientError: "measuring the client's own error",
  notClosed: (name: string, error: string) => `${name} could not be closed: ${error}`,
} as const
