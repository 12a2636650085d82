import type { Summary } from "../src/core/metric/metric.ts"
import { mean } from "../src/stats/mean.ts"
import type { ReadingRule } from "../src/text/reading/final-answer.ts"

/** What an answer was read as, and whether it is right by each reading. @experimental */
export interface ReadingRow {
  /** 1 or 0: by the first rule that finds an answer. */
  readonly value: number
  /** The same where what has two meanings is taken either way. */
  readonly lenient: number
  /** The same by the first thing in a form that says that it is the answer. */
  readonly strict: number
  /** That form: a field (a JSON member, \boxed{}) or a mark ("####", "The answer is"); null where the answer has neither. */
  readonly form: "field" | "mark" | null
  /** The rule that found what was read; null where nothing was. */
  readonly rule: ReadingRule | null
  /** What was read, at most 80 characters. */
  readonly read: string | null
}

/** Which of the rows are right by the strict reading: in the form that most of them have, where one has a form at all. */
export function strictValues(rows: readonly ReadingRow[]): readonly number[] {
  const form = formOf(rows)
  return rows.map((row) => (form === null ? row.value : row.form === form ? row.strict : 0))
}

/** The form that most answers have. */
export function formOf(rows: readonly ReadingRow[]): "field" | "mark" | null {
  const count = (form: ReadingRow["form"]) => rows.filter((row) => row.form === form).length
  const [fields, marks] = [count("field"), count("mark")]
  return Math.max(fields, marks) * 2 < rows.length ? null : fields >= marks ? "field" : "mark"
}

/** The figure by both readings, and how many answers are read in two ways; absent where the readings agree on every answer. */
export function readingDetails(rows: readonly ReadingRow[]): Summary["details"] {
  const strict = strictValues(rows)
  const twoWays = rows.filter((row, i) => row.lenient !== strict[i]).length
  const unread = rows.filter(({ rule }) => rule === null).length
  if (twoWays === 0 && unread === 0) return undefined
  return {
    strict: { value: mean(strict), form: formOf(rows) },
    lenient: { value: mean(rows.map(({ lenient }) => lenient)) },
    twoWays,
    unread,
  }
}
