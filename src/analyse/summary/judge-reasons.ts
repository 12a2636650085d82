import { isPanelRow } from "../../core/report/section-judge.ts"

/** Checks of one row that are shown, and characters of each. */
const mostChecks = 100
const longestCheck = 400

/**
 * What the judges of a panel said of an answer, one line each: name, score, reason; or each claim, passage or question that a model
 * looked at, with what it said. Null for the rows of other metrics. Rows come out of a file: what is not of this form is left out.
 *
 * @example judgeReasons(row) // "judge-a: 4, all facts are there\njudge-b: abstained"
 * @example judgeReasons(row) // "supported: Ada was born in London\nnot supported: She died in Rome"
 */
export function judgeReasons(row: unknown): string | null {
  if (!isPanelRow(row)) return checksOf(row)
  return row.members
    .map(({ judge, status, score, reason }) => {
      const verdict = status === "scored" && score !== null ? String(Number(score.toPrecision(3))) : status
      return `${judge}: ${verdict}${reason ? `, ${reason}` : ""}`
    })
    .join("\n")
}

function checksOf(row: unknown): string | null {
  if (typeof row !== "object" || row === null || !("checks" in row) || !Array.isArray(row.checks)) return null
  const lines = (row.checks as readonly unknown[]).slice(0, mostChecks).flatMap((check) => {
    if (typeof check !== "object" || check === null || !("said" in check) || !("of" in check)) return []
    return [`${String(check.said)}: ${String(check.of).replaceAll(/\s+/g, " ")}`.slice(0, longestCheck)]
  })
  return lines.length === 0 ? null : lines.join("\n")
}
