import type { Verdict } from "../../src/core/report/comparison.ts"

/** The five words that a report says of a swap, as they are shown. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  swap: "SWAP",
  keep: "KEEP",
  inconclusive: "INCONCLUSIVE",
  not_comparable: "NOT COMPARABLE",
  invalid: "INVALID",
}

/** What each word means, in plain words. */
export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  swap: "the candidate is not worse by more than the margin, and something is gained: the swap is safe on this evidence",
  keep: "stay with the baseline: the candidate is worse, or as good without a proven gain",
  inconclusive: "this run cannot tell: what is missing is said beside it",
  not_comparable: "the two cannot be compared on this run",
  invalid: "the measurement failed its own checks",
}
