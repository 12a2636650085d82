import type { ComparisonFacts, JudgeContext } from "./judge-candidate.ts"
import { amount, counted, readable, whole } from "./phrases.ts"

/** By what a verdict was reached, a line for each part: method, n, clusters, missing, turns, and how alpha is shared. */
export function methodOf(facts: ComparisonFacts, { candidates, smallestGain }: JudgeContext): string[] {
  const quality = facts.metrics
    .filter(({ primary }) => primary)
    .map(({ metric, method, pairs, n, clusters, missing, boundAlpha }) => {
      const parts = [
        method,
        pairs === n ? counted(pairs, "sample") : `${whole(pairs)} of ${counted(n, "sample")}`,
        clusters === null ? null : counted(clusters, "cluster"),
        missingWords(missing),
        boundAlpha === undefined ? null : `one-sided error rate ${amount(boundAlpha)}`,
      ]
      return `${readable(metric)}: ${parts.filter((part) => part !== null).join("; ")}`
    })
  const changes = (facts.changes ?? []).map(
    ({ figure, method, n, turns }) =>
      `${figure}: ${method}; ${counted(n, "pair")}${turns === null ? "" : `, ${counted(turns, "turn")}`}`,
  )
  return [
    ...quality,
    ...changes,
    ...(candidates > 1
      ? [`Holm over ${candidates} candidates for "not worse"; intervals of gains at alpha / ${candidates}`]
      : []),
    `a gain counts from ${amount(smallestGain * 100)} % on, where its interval leaves 0 out`,
  ]
}

function missingWords(missing: ComparisonFacts["metrics"][number]["missing"]): string | null {
  const {
    failedBaseline = 0,
    failedCandidate = 0,
    unmeasuredBaseline = 0,
    unmeasuredCandidate = 0,
    countedAs,
  } = missing
  const failed = failedBaseline + failedCandidate
  const unmeasured = unmeasuredBaseline + unmeasuredCandidate
  if (failed + unmeasured === 0) return null
  const what = [
    ...(failed > 0
      ? [`${whole(failedCandidate)} failed answers of the candidate and ${whole(failedBaseline)} of the baseline`]
      : []),
    ...(unmeasured > 0 ? [`${whole(unmeasured)} without a score`] : []),
  ].join(", ")
  return countedAs == null ? `${what} left out` : `${what} counted as ${amount(countedAs)}`
}
