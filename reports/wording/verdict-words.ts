import type { Verdict } from "../../src/core/report/comparison.ts"

/** The five words that a report says of a swap, as they are shown. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  swap: "SWAP",
  keep: "KEEP",
  inconclusive: "INCONCLUSIVE",
  not_comparable: "NOT COMPARABLE",
  invalid: "INVALID",
}

/** What stands in a verdict's place where the run as a whole brought nothing to decide on. */
export const noAnswerWords = "NO ANSWER"

/** What that means. */
export const noAnswerMeaning =
  "The run as a whole brought nothing to decide on: no call was made or answered, nothing was scored, or it ended too early. That speaks neither for nor against a variant."

/** What each word means: the tooltip of a verdict, the words at a page's end and `evalkit explain` say the same sentence. */
export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  swap: "The candidate is not worse by more than the margin, keeps every limit, and something is gained: cost, time or size.",
  keep: "Stay with the baseline: the candidate is worse, breaks a limit, or is as good without a proven gain.",
  inconclusive: "On this evidence both \u201cswap\u201d and \u201ckeep\u201d could be wrong.",
  not_comparable:
    "The two cannot be compared on this run: too few samples have an answer of both, or they were not asked the same.",
  invalid: "The measurement failed its own checks, so that no figure of it should be used.",
}
