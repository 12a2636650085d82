/** What a verdict of a metric hangs on. */
export const comparisonDoubts = {
  nearAlpha: "p lies so near alpha that another seed could move it across",
  byBaselineFailures: "it would be as good only because answers of the baseline failed",
  byMissingScores: "answers of the candidate without a score decide it",
} as const
