/** The noise floor of a run. */
export const noiseWords = {
  floor: (baseline: string, differs: string, share: string, draws: number, pairs: string) =>
    `${baseline} differed from itself by at most ${differs} in ${share} of ${draws} draws (${pairs}): what another variant differs by must be more to say anything.`,
  title: "Noise floor: the baseline against itself",
  draw: "A draw gives the scores of each sample, and the times and costs of each turn, to the two names by a seeded coin, and decides as the run does, without its limits.",
  firstToken: "time to the first token",
  quantile: (share: string, draws: number) =>
    `${share} quantile of the absolute difference over ${draws} draws of the names`,
} as const
