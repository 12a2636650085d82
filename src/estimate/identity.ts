import type { ScoredVariant } from "../core/metric/scored-variant.ts"
import { isAnswered } from "../core/outcome.ts"
import type { Comparison } from "../core/report/comparison.ts"
import { answerPairs, answerPairsBehind } from "../rows/answer-pairs.ts"
import type { FactColumns } from "../rows/columns/fact-columns.ts"
import type { TextHashes } from "../rows/columns/text-hashes.ts"
import { identityWarning } from "../words/reasons/estimate.ts"

/** From this share of identical answers on, two variants may be one endpoint. */
const suspiciousShare = 0.99
/** Fewer answers than this prove nothing. */
const minAnswers = 20

/** How many answers of two variants are identical to the letter, and a warning when nearly all are. */
export function identityCheck(baseline: ScoredVariant, candidate: ScoredVariant): Comparison["identity"] {
  const { baseline: before, candidate: after, a, b } = answerPairsBehind(answerPairs(baseline, candidate))
  const [sureA, sureB] = [before.figure("confidence"), after.figure("confidence")]
  let compared = 0
  let identical = 0
  // Different probabilities for the same text come from different weights: two models that agree, not one endpoint.
  let differing = 0
  for (let i = 0; i < a.length; i++) {
    const [first, second] = [a[i] as number, b[i] as number]
    if (!isKnown(before, first) || !isKnown(after, second)) continue
    compared++
    if (before.hashes.isSame(first, after.hashes, second)) identical++
    const [x, y] = [sureA?.[first] ?? Number.NaN, sureB?.[second] ?? Number.NaN]
    if (!Number.isNaN(x) && !Number.isNaN(y) && x !== y) differing++
  }
  const suspicious =
    compared >= minAnswers && identical >= suspiciousShare * compared && differing <= (1 - suspiciousShare) * compared
  return {
    compared,
    identical,
    warning: suspicious ? identityWarning(identical, compared, [baseline.name, candidate.name]) : null,
  }
}

function isKnown(facts: FactColumns, index: number): boolean {
  return isAnswered(facts.outcome(index)) && hasText(facts.hashes, index) && !facts.isGiven(index)
}

/** Whether the text of an answer is known. */
export function hasText(hashes: TextHashes, index: number): boolean {
  return hashes.halves(index) !== null || hashes.at(index) !== ""
}
