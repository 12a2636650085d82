import type { Figure } from "../../src/core/report/figure.ts"
import { judgeFigures } from "../../src/wording/judge-card/reasons.ts"

/** Whether a judge was held against people, or against a known truth. */
export function isJudgeChecked(figures: Readonly<Record<string, Figure>>): boolean {
  return ["agreement with people", judgeFigures.truthAgreement].some((name) => figures[name]?.status === "known")
}
