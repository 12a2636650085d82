/** Why earlier runs add nothing about the items of a comparison. */
export const noDifficulty = {
  noEarlierRun: (metric: string, where: string) =>
    `no earlier run of the store has other variants with ${metric} on ${where}`,
  fewItems: (count: number, min: number) => `${count} of these items were asked before, at least ${min} are needed`,
  noMetric: "no named run has this metric with the same signature",
  noMean: "the metric is no mean over items",
  clusters: "items are in clusters, or were not all asked equally often",
  noOthers:
    "they asked no other items: an item that both sides answered is its own control, and earlier answers to it add nothing",
  otherItems:
    "the items of this run are easier or harder than the others beyond chance, so that neither stands for the other",
  noVariation: "the differences or the scores of earlier runs do not vary",
} as const
