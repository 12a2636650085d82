import { splitWords } from "./python-text.ts"

const asciiPunctuation = /[!-/:-@[-`{-~]/g
// `\b` of Python's `re` knows every letter and digit; JavaScript's knows ASCII only.
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/**
 * SQuAD's answer normalisation (evaluate-v1.1.py): lower case, ASCII punctuation removed, the articles a, an, the
 * removed, white space made single. Quirks kept: "U.S." becomes "us", "rock'n'roll" one word; ‘’ “” stay.
 *
 * @example squadNormalize("The  quick, brown fox!") // "quick brown fox"
 */
export function squadNormalize(text: string): string {
  return squadTokens(text).join(" ")
}

/** The words of {@link squadNormalize}. */
export function squadTokens(text: string): string[] {
  return splitWords(text.toLowerCase().replace(asciiPunctuation, "").replace(articles, " "))
}
