import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link homoglyphs}. @experimental */
export interface HomoglyphsOptions {
  readonly name?: string
  /** Share of the letters with a twin that are replaced. Default 0.1. */
  readonly rate?: number
}

/** Latin letters and the Cyrillic letters that look the same. */
export const homoglyphTwins: ReadonlyMap<string, string> = new Map([
  ["a", "\u0430"],
  ["c", "\u0441"],
  ["e", "\u0435"],
  ["i", "\u0456"],
  ["o", "\u043e"],
  ["p", "\u0440"],
  ["s", "\u0455"],
  ["x", "\u0445"],
  ["y", "\u0443"],
  ["A", "\u0410"],
  ["B", "\u0412"],
  ["C", "\u0421"],
  ["E", "\u0415"],
  ["H", "\u041d"],
  ["K", "\u041a"],
  ["M", "\u041c"],
  ["O", "\u041e"],
  ["P", "\u0420"],
  ["T", "\u0422"],
  ["X", "\u0425"],
])

/**
 * Letters replaced by letters of another script that look the same: a reader sees no change, a
 * tokenizer sees other characters.
 *
 * @example homoglyphs() // "Who is Anna?", with a Cyrillic а at the end
 * @public
 */
export function homoglyphs(options: HomoglyphsOptions = {}): Perturbation {
  checkOptions("perturb.homoglyphs", options)
  const { name = "homoglyphs", rate = 0.1 } = options
  return textPerturbation({
    name,
    identity: { rate },
    change: (text, random) =>
      text.replace(/[a-zA-Z]/g, (letter) => {
        const twin = homoglyphTwins.get(letter)
        return twin !== undefined && random.next() < rate ? twin : letter
      }),
  })
}
