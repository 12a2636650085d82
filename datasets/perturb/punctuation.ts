import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link punctuation}. */
export interface PunctuationOptions {
  readonly name?: string
  /** `drop` leaves marks out, `repeat` doubles the last one, `ellipsis` ends with dots. Default `drop`. */
  readonly change?: "drop" | "repeat" | "ellipsis"
}

/** A mark that ends a word: not inside a number, a time or an abbreviation. */
const mark = /(?<=\p{L}|\d)[.,;!?](?=\s|$)/gu

/**
 * Missing or surplus punctuation at the ends of words and sentences; marks inside numbers stay.
 *
 * @example punctuation() // "Well, who is Anna?" → "Well who is Anna"
 */
export function punctuation(options: PunctuationOptions = {}): Perturbation {
  const { change = "drop", name = `punctuation-${change}` } = options
  return textPerturbation({
    name,
    identity: { change },
    change(text) {
      if (change === "drop") return text.replace(mark, "")
      const bare = text.replace(/[.!?\s]+$/u, "")
      const last = /[.!?]\s*$/u.exec(text)?.[0].trim() ?? "."
      return change === "ellipsis" ? `${bare}...` : `${bare}${last.repeat(3)}`
    },
  })
}
