import type { Comparison } from "../../core/report/comparison.ts"
import type { BreakFinding } from "../../core/report/critical.ts"
import type { GateResult } from "../../core/report/decision.ts"
import { breakPrefix, criticalBreaks } from "../../core/report/tracked-figures.ts"
import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import { noFigure } from "../../wording/reasons.ts"
import { breakSentence } from "../../wording/verdict/critical.ts"

/** Whether a rule of the gate counts samples that broke: those that must not (`criticalBreaks`), or those of a hard check (`breaks.NAME`). */
export function isBreakRule(figure: string): boolean {
  return figure === criticalBreaks || figure.startsWith(breakPrefix)
}

/** Whether at most so many samples broke: an exact count, so that only what is not known leaves it open. */
export function breaksFinding(
  figure: string,
  comparison: Pick<Comparison, "baseline" | "candidate" | "critical" | "breaks"> | undefined,
  max: number,
  metrics: readonly NamedMetric[] = [],
): Pick<GateResult, "status" | "message"> {
  if (!comparison) return { status: "inconclusive", message: noFigure.notCompared }
  const { baseline, candidate, critical = [], breaks = [] } = comparison
  const ofCheck = (finding: BreakFinding) => {
    const metric = metrics.find(({ name }) => name === finding.metric) ?? { name: finding.metric, range: [0, 1] }
    return { ...finding, sentence: breakSentence({ ...finding, allowed: max }, metric, [baseline, candidate]) }
  }
  const isCritical = figure === criticalBreaks
  const findings = isCritical
    ? critical
    : breaks.filter(({ metric }) => `${breakPrefix}${metric}` === figure).map(ofCheck)
  if (findings.length === 0)
    return { status: "inconclusive", message: isCritical ? noFigure.noCritical : noFigure.noBreak }
  const broken = new Set(findings.flatMap((finding) => finding.broken)).size
  const unknown = Math.max(...findings.map((finding) => finding.unknown))
  const message = findings.map(({ sentence }) => sentence.replace(/\.$/, "")).join("; ")
  if (broken > max) return { status: "failed", message }
  return { status: broken + unknown > max ? "inconclusive" : "passed", message }
}
