import type { Comparison } from "../../core/report/comparison.ts"
import type { GateResult } from "../../core/report/decision.ts"
import { noFigure } from "../../wording/reasons.ts"

/** What a gate rule calls the number of samples that must not break and went from right to wrong. */
export const criticalBreaks = "criticalBreaks"

/** Whether at most so many samples broke that must not: an exact count, so that only what is not known leaves it open. */
export function breaksFinding(
  comparison: Pick<Comparison, "critical"> | undefined,
  max: number,
): Pick<GateResult, "status" | "message"> {
  if (!comparison) return { status: "inconclusive", message: noFigure.notCompared }
  const findings = comparison.critical ?? []
  if (findings.length === 0) return { status: "inconclusive", message: noFigure.noCritical }
  const broken = new Set(findings.flatMap((finding) => finding.broken)).size
  const unknown = Math.max(...findings.map((finding) => finding.unknown))
  const message = findings.map(({ sentence }) => sentence.replace(/\.$/, "")).join("; ")
  if (broken > max) return { status: "failed", message }
  return { status: broken + unknown > max ? "inconclusive" : "passed", message }
}
