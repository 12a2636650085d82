import type { MetricVerdict } from "../../core/report/comparison.ts"

/** What a verdict of a metric hangs on. */
export const comparisonDoubts = {
  nearAlpha: "p lies so near alpha that another seed could move it across",
  byBaselineFailures: "it would be as good only because answers of the baseline failed",
  byMissingScores: "answers of the candidate without a score decide it",
} as const

/** A verdict that turns with the reading of answers, and what it is by each of the others. */
export function readingDoubt(twoWays: number, verdicts: readonly (readonly [string, MetricVerdict])[]): string {
  const words = verdicts.map(([name, verdict]) => `${name}: ${verdictWords[verdict]}`)
  return `${twoWays} answers are read in two ways, and the verdict turns with the reading (${words.join(", ")}); \`reading\` of the metric chooses one`
}

const verdictWords: Readonly<Record<MetricVerdict, string>> = {
  better: "better",
  non_inferior: "as good",
  inferior: "worse",
  inconclusive: "open",
  not_comparable: "not comparable",
}
