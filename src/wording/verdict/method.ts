import type { ChangedFigure } from "../../core/report/change.ts"
import type { MetricDesign } from "../../core/report/comparison.ts"
import type { ComparisonFacts, JudgeContext } from "../../core/report/verdict-facts.ts"
import { spacedName } from "../../words/names.ts"
import { amount, count, counted } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { turnWords } from "./change.ts"

const figureNames: Readonly<Record<ChangedFigure, string>> = {
  costUsd: "cost",
  e2eMs: "time end to end",
  ttftMs: "time to the first token",
  modelBytes: "size of the file",
}

const clusteredWords = {
  question: ": samples with the same question",
  field_and_question: ": the field cluster, and samples with the same question",
} as const

/** By what a verdict was reached, a line for each part: method, n, clusters, missing, turns, and how alpha is shared. */
export function methodOf(facts: ComparisonFacts, { candidates, smallestGain }: JudgeContext): string[] {
  const quality = facts.metrics
    .filter(({ primary }) => primary)
    .map(({ metric, method, pairs, n, clusters, clusteredBy, missing, boundAlpha = 0.05, margin, design }) => {
      const parts = [
        `decided by the one-sided bound at an error rate of ${amount(boundAlpha)} against the margin ${amount(margin)}`,
        method,
        pairs === n ? `n = ${counted(n, "sample")}` : `n = ${count(pairs)} of ${counted(n, "sample")}`,
        clusters === null
          ? "each sample is its own cluster"
          : `${counted(clusters, "cluster")}${clusteredBy === undefined ? "" : clusteredWords[clusteredBy]}`,
        missingWords(missing) ?? "nothing is missing",
        design === undefined ? "read once, at a number of samples fixed beforehand" : readingWords(design),
      ]
      return `${spacedName(metric)}: ${parts.join("; ")}`
    })
  const changes = facts.changes.map(
    ({ figure, method, n, turns }) =>
      `${figureNames[figure]}: ${method}; n = ${counted(n, "pair")}${turnWords(n, turns)}`,
  )
  return [
    ...quality,
    ...changes,
    ...(candidates > 1
      ? [`Holm over ${candidates} candidates for "not worse"; intervals of gains at alpha / ${candidates}`]
      : []),
    `a gain counts from ${percent(smallestGain)} on, where its interval leaves 0 out`,
  ]
}

function readingWords({ kind, samples, reading, level, betting, more }: MetricDesign): string {
  const at = level === null ? "" : `, at level ${amount(level)}`
  if (kind === "looks")
    return `look ${reading} of ${count(samples.length)} planned looks (${counted(samples[reading - 1] as number, "sample")})${at}${betting === undefined ? "" : `, by betting at level ${amount(betting)}`}`
  const readings = `reading ${reading} of a run that ${more ? "may be" : "was"} extended (${samples.map(count).join(", ")} samples)`
  return `${readings}${at}`
}

function missingWords(missing: ComparisonFacts["metrics"][number]["missing"]): string | null {
  const {
    failedBaseline = 0,
    failedCandidate = 0,
    failedBoth = 0,
    unmeasuredBaseline = 0,
    unmeasuredCandidate = 0,
    countedAs,
  } = missing
  const failed = failedBaseline + failedCandidate
  const unmeasured = unmeasuredBaseline + unmeasuredCandidate
  if (failed + failedBoth + unmeasured === 0) return null
  const what = [
    ...(failed > 0
      ? [`${count(failedCandidate)} failed answers of the candidate and ${count(failedBaseline)} of the baseline`]
      : []),
    ...(failedBoth > 0 ? [`${count(failedBoth)} failed answers on both sides`] : []),
    ...(unmeasured > 0 ? [`${count(unmeasured)} without a score`] : []),
  ].join(", ")
  return countedAs == null ? `${what} left out` : `${what} counted as ${amount(countedAs)}`
}
