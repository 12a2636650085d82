import type { RunReport } from "../../src/core/report/report.ts"
import { agreementSentences } from "../../src/wording/judge-card/card-sentences.ts"
import { sized, wordingOf } from "../../src/words/difference.ts"
import { metricCalled } from "../../src/words/metric.ts"
import { counted } from "../../src/words/number.ts"
import { decidingMetric, tellingComparison } from "../view-model/comparisons.ts"
import { sectionsOfKind } from "../view-model/sections.ts"

/** How sure the answer of a run is: what its samples can show, and whether people stand behind its judges. */
export function sureness(report: RunReport): readonly string[] {
  return [...power(report), ...judges(report)]
}

function power(report: RunReport): readonly string[] {
  const comparison = tellingComparison(report)
  const finding = comparison && decidingMetric(comparison)
  const metric = report.metrics.find(({ name }) => name === finding?.metric)
  if (!finding || !metric || finding.minimumDetectableEffect === null) return []
  const size = sized(finding.minimumDetectableEffect, wordingOf(metric))
  const name = metricCalled(report.metrics, finding.metric)
  return [
    `${counted(finding.pairs, "sample")} like these find a change of ${size} in ${name} with a probability of 80 %; a smaller one may be there unseen.`,
  ]
}

function judges(report: RunReport): readonly string[] {
  return sectionsOfKind(report, "judge_card").flatMap(({ title, data }) => {
    const sentences = data.judges.flatMap(agreementSentences)
    return sentences.length > 0
      ? sentences
      : [`Nobody checked ${title.replace(/^The/, "the")}: no answer has a label of people.`]
  })
}
