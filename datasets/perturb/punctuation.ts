import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link punctuation}. @experimental */
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
 * @public
 */
export function punctuation(options: PunctuationOptions = {}): Perturbation {
  checkOptions("perturb.punctuation", options)
  const { change = "drop", name = `punctuation-${change}` } = options
  return textPerturbation({
    name,
    identity: { change },
    change(text) {
      if (change === "drop") return text.replace(mark, "")
      const bare = text.slice(0, endOf(text, /[.!?\s]/u))
      const trimmed = text.trimEnd()
      const last = /[.!?]$/u.exec(trimmed)?.[0] ?? "."
      return change === "ellipsis" ? `${bare}...` : `${bare}${last.repeat(3)}`
    },
  })
}

/** Where the characters of a kind begin that a text ends with. */
function endOf(text: string, kind: RegExp): number {
  let end = text.length
  while (end > 0 && kind.test(text[end - 1] as string)) end--
  return end
}
