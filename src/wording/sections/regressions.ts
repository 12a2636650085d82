/** What broke, by words of the input. */
export const regressionWords = {
  word: (worse: number, samples: string, word: string, p: string) =>
    `worse in ${worse} of ${samples} with "${word}", adjusted ${p}`,
} as const
