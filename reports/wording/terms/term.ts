/** A term of the field, or a code that a report prints, explained. */
export interface Term {
  /** As it is asked for: `ttft`. Also the end of its anchor in a page. */
  readonly id: string
  /** As it is shown. */
  readonly title: string
  readonly kind: "verdict" | "figure" | "word" | "outcome" | "reason"
  /** In plain words: what it is, how it is computed, its unit and its range. */
  readonly text: string
  /** What it is mistaken for, or what to do about it. */
  readonly note?: string
  /** Other spellings, in lower case. */
  readonly also?: readonly string[]
  /** Where the word means this and elsewhere something else: a kind of section, `outcome`. */
  readonly place?: string
}

/** What is said of a term. */
type Explanation = Pick<Term, "text" | "note" | "also" | "place">

/** A figure: something with a value. */
export function figure(id: string, title: string, explanation: Explanation): Term {
  return { id, title, kind: "figure", ...explanation }
}

/** A word of the field. */
export function word(id: string, title: string, explanation: Explanation): Term {
  return { id, title, kind: "word", ...explanation }
}
