import type { AnswerFacts, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { Comparison } from "../../core/report/comparison.ts"
import { answerPairs } from "../compare/pairs/answer-pairs.ts"
import { whole } from "../decide/phrases.ts"

/** From this share of identical answers on, two variants may be one endpoint. */
const suspiciousShare = 0.99
/** Fewer answers than this prove nothing. */
const fewestAnswers = 20

/** How many answers of two variants are identical to the letter, and a warning when nearly all are. */
export function identityCheck(baseline: ScoredVariant, candidate: ScoredVariant): Comparison["identity"] {
  const known = ({ outcome, textHash, isGiven }: AnswerFacts) => isAnswered(outcome) && textHash !== "" && !isGiven
  const both = answerPairs(baseline, candidate).filter(([a, b]) => known(a) && known(b))
  const identical = both.filter(([a, b]) => a.textHash === b.textHash).length
  // Different probabilities for the same text come from different weights: two models that agree, not one endpoint.
  const differing = both.filter(
    ([a, b]) => a.confidence !== null && b.confidence !== null && a.confidence !== b.confidence,
  )
  const suspicious =
    both.length >= fewestAnswers &&
    identical >= suspiciousShare * both.length &&
    differing.length <= (1 - suspiciousShare) * both.length
  return {
    compared: both.length,
    identical,
    warning: suspicious
      ? `${whole(identical)} of ${whole(both.length)} answers are identical: ${baseline.name} and ${candidate.name} may be one endpoint`
      : null,
  }
}
