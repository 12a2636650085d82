import { checkOptions } from "../../src/core/options.ts"
import { numberOfWord, numberWords } from "./number-words.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link numerals}. @experimental */
export interface NumeralsOptions {
  readonly name?: string
  /** `words` (default) spells whole numbers out; `digits` does the opposite. */
  readonly to?: "words" | "digits"
}

/** A whole number that is not part of a decimal, a date, a time or a code. */
const loneNumber = /(?<![\p{L}\d.,:/$€£-])\d{1,6}(?![\p{L}\d%°]|[.,:/-]\d)/gu
const loneWord = /\b[a-z]+(?:-[a-z]+)?\b/gi

/**
 * Whole numbers in English words instead of digits, or the reverse.
 *
 * @example numerals() // "What is 12 + 30?" → "What is twelve + thirty?"
 * @public
 */
export function numerals(options: NumeralsOptions = {}): Perturbation {
  checkOptions("perturb.numerals", options)
  const { to = "words", name = `numerals-${to}` } = options
  return textPerturbation({
    name,
    identity: { to },
    change: (text) =>
      to === "words"
        ? text.replace(loneNumber, (digits) => (/^0\d/.test(digits) ? digits : numberWords(Number(digits))))
        : text.replace(loneWord, (word) => {
            // "one" is a pronoun as often as a number.
            const value = word.toLowerCase() === "one" ? null : numberOfWord(word)
            return value === null ? word : String(value)
          }),
  })
}
