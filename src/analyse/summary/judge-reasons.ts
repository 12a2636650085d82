import { isPanelRow } from "../../core/report/section-judge.ts"
import { answerWords } from "../../wording/answer-notes.ts"

/** Checks of one row that are shown, and characters of each. */
const maxChecks = 100
const maxCheckLength = 400

/**
 * What the judges of a panel said of an answer, one line each: name, score, reason; or each claim, passage or question that a model
 * looked at, with what it said; or what an answer was read as, and by which rule. Null for the rows of other metrics. Rows come out of a file:
 * what is not of this form is left out.
 *
 * @param everyReading also where both readings of an answer agree
 * @example judgeReasons(row) // "judge-a: 4, all facts are there\njudge-b: abstained"
 * @example judgeReasons(row) // "supported: Ada was born in London\nnot supported: She died in Rome"
 */
export function judgeReasons(row: unknown, everyReading = false): string | null {
  if (!isPanelRow(row)) return checksOf(row) ?? readingOf(row, everyReading)
  return row.members
    .map(({ judge, status, score, reason }) => {
      const verdict = status === "scored" && score !== null ? String(Number(score.toPrecision(3))) : status
      return `${judge}: ${verdict}${reason ? `, ${reason}` : ""}`
    })
    .join("\n")
}

/** What an answer was read as, where that is on record; see `ReadingRow` of the metrics. */
function readingOf(row: unknown, isAlways: boolean): string | null {
  if (typeof row !== "object" || row === null) return null
  const { rule, read, strict, lenient } = (("reading" in row ? row.reading : row) ?? {}) as Record<string, unknown>
  if (typeof rule !== "string" || typeof read !== "string") return null
  if (strict === lenient) return isAlways ? answerWords.readBy(rule, read) : null
  const words = (value: unknown) => (value === 1 ? "right" : value === 0 ? "wrong" : String(value))
  return answerWords.readInTwoWays(rule, read, words(strict), words(lenient))
}

function checksOf(row: unknown): string | null {
  if (typeof row !== "object" || row === null || !("checks" in row) || !Array.isArray(row.checks)) return null
  const lines = (row.checks as readonly unknown[]).slice(0, maxChecks).flatMap((check) => {
    if (typeof check !== "object" || check === null || !("said" in check) || !("of" in check)) return []
    return [`${String(check.said)}: ${String(check.of).replaceAll(/\s+/g, " ")}`.slice(0, maxCheckLength)]
  })
  return lines.length === 0 ? null : lines.join("\n")
}
