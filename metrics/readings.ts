import type { Summary } from "../src/core/metric/metric.ts"
import { mean } from "../src/stats/mean.ts"

/** A form in which an answer says of itself that it is one. @experimental */
export type ReadingForm = (typeof forms)[number]
const forms = ["field", "mark", "bare"] as const

/** What an answer was read as, and whether it is right by each reading. @experimental */
export interface ReadingRow {
  /** 1 or 0: by the first rule that finds an answer. */
  readonly value: number
  /** The same where what has two meanings is taken either way. */
  readonly lenient: number
  /** The same by the first thing in a form that says that it is the answer. */
  readonly strict: number
  /** That form: a field (a JSON member, \boxed{}), a mark ("####", "The answer is"), nothing but the answer; null where it has none of them. */
  readonly form: ReadingForm | null
  /** The rule that found what was read; null where nothing was. */
  readonly rule: string | null
  /** What was read, at most 80 characters. */
  readonly read: string | null
}

/** Which of the rows are right by the strict reading: in the form that most of them have, where one has a form at all. */
export function strictValues(rows: readonly ReadingRow[]): readonly number[] {
  const form = formOf(rows)
  return rows.map((row) => (form === null ? row.value : row.form === form ? row.strict : 0))
}

/** The form that half of the answers have, or more. */
export function formOf(rows: readonly ReadingRow[]): ReadingForm | null {
  return forms.find((form) => rows.filter((row) => row.form === form).length * 2 >= rows.length) ?? null
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
