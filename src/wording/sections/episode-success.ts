/** Success of episodes by answers and by tries. */
export const episodeSuccess = {
  byStepsTitle: "Success by the number of answers",
  bySteps: (solved: string) =>
    `Episodes by how many answers of the model they took, and the share of them that was solved${solved}. Hard tasks take more steps: the rows compare tasks, not what more steps would do.`,
  byTriesTitle: "Cost against success in k tries",
  byTries: (solved: string) =>
    `Of tasks, those solved${solved}: in at least one of k tries (pass@k), and in all of them (pass^k, what a user can rely on), with what k tries cost. Intervals are over tasks, or the clusters that they come in.`,
  neverTried: (times: string) => `no task was tried ${times}`,
} as const
