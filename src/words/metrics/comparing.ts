import { isObject } from "../../core/json-members.ts"
import { count } from "../number.ts"

/** How many answers have a figure that hangs on how texts are compared. */
export interface ComparingCounts {
  readonly scored: number
  readonly lettersDiffer: number
  readonly unspaced: number
}

const letterForms = "composed or decomposed accents, ligatures, full width, invisible characters, quotes"

/** What a reader must know of figures that hang on how texts are compared. */
export const comparingWords = {
  title: (metric: string) => `How texts were compared: ${metric}`,
  columns: ["variant", "answers", "hang on the form of letters", "without blanks between words"],
  /** @param instead what compares texts without blanks */
  notes: ({ scored, lettersDiffer, unspaced }: ComparingCounts, instead = ""): string[] => [
    ...(lettersDiffer > 0
      ? [
          `${count(lettersDiffer)} of ${count(scored)} texts have another score where only the form of letters differs (${letterForms}); unicode: "compatibility" takes these as equal`,
        ]
      : []),
    ...(unspaced > 0
      ? [
          `${count(unspaced)} of ${count(scored)} references are in a script that has no blanks between words, so that a whole clause is one word; ${instead}`,
        ]
      : []),
  ],
  unspaced: (text: "reference" | "answer", instead: string) =>
    `the ${text} is in a script that has no blanks between its words, so that a whole clause is one word; ${instead}`,
  /** The notes in a metric's details. */
  notesOf: (details: unknown): readonly string[] =>
    isObject(details) && Array.isArray(details.notes) ? details.notes.map(String) : [],
} as const
