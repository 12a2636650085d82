import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import { metricTitle } from "../../words/names.ts"
import { counted } from "../../words/number.ts"
import { noFigure } from "../reasons.ts"
import { type Finding, figuresOf, marginWords, provenLoss, remarksOf } from "./evidence.ts"

/** A metric's finding as one sentence with its numbers; one form per verdict. */
export function metricSentence(finding: Finding, metric: NamedMetric, baseline: string, candidate: string): string {
  const name = metricTitle(metric)
  if (finding.verdict === "not_comparable" || finding.difference === null)
    return `${candidate} and ${baseline} cannot be compared on ${name}: ${whyNot(finding)}.`
  const within = marginWords(finding, metric)
  const loss = provenLoss(finding, metric)
  const answer = {
    better: `${candidate} is better than ${baseline} on ${name}`,
    non_inferior: `${candidate} is as good as ${baseline} on ${name} within ${within}`,
    inferior: `${candidate} is worse than ${baseline} on ${name} by more than ${within}`,
    inconclusive:
      loss === null
        ? `Whether ${candidate} is worse than ${baseline} on ${name} by more than ${within} is open`
        : `${candidate} is worse than ${baseline} on ${name} by ${loss}; whether by more than ${within} is open`,
  }[finding.verdict]
  const remarks = remarksOf(finding, metric, { baseline, candidate })
  return `${answer}: ${figuresOf(finding, metric)}.${remarks === "" ? "" : ` ${remarks}`}`
}

/** Why a metric has no pairs. */
export function whyNot({ missing, n }: Finding): string {
  const causes = [
    { answers: missing.failedCandidate, where: "of the candidate failed" },
    { answers: missing.failedBaseline, where: "of the baseline failed" },
    { answers: missing.failedBoth ?? 0, where: "failed on both sides" },
  ].flatMap(({ answers, where }) =>
    answers > 0 ? [`${answers === n ? "all " : ""}${counted(answers, "answer")} ${where}`] : [],
  )
  return `${noFigure.noBothScored}${causes.length > 0 ? ` (${causes.join(", ")})` : ""}`
}
