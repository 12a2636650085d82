import { isPanelRow } from "../../core/report/section-judge.ts"

/**
 * What the judges of a panel said of an answer, one line each: name, score, reason. Null for the rows of other metrics.
 *
 * @example judgeReasons(row) // "judge-a: 4, all facts are there\njudge-b: abstained"
 */
export function judgeReasons(row: unknown): string | null {
  if (!isPanelRow(row)) return null
  return row.members
    .map(({ judge, status, score, reason }) => {
      const verdict = status === "scored" && score !== null ? String(Number(score.toPrecision(3))) : status
      return `${judge}: ${verdict}${reason ? `, ${reason}` : ""}`
    })
    .join("\n")
}
