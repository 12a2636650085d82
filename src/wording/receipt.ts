/** Why there is no receipt. */
export const receiptFaults = {
  noVerdict: "the run has no verdict that a receipt could state",
  needsTwo: "a verdict needs a baseline and a candidate that both have answers",
  noConfig: "a receipt is computed without the config, so that anybody can compute it again",
  otherReport: "the stored report says another verdict than the run's own answers and settings",
  scoreAgain:
    "it was scored or priced by a config that has changed since: run again, or score it with the config that made it",
} as const
