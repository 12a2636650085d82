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

/** The two texts that were split last: metrics of one answer split it and its reference one after the other. */
const last = [
  { text: "", tokens: [] as readonly string[] },
  { text: "", tokens: [] as readonly string[] },
]
let oldest = 0

/** The words of {@link squadNormalize}. */
export function squadTokens(text: string): readonly string[] {
  const entry = last.find((item) => item.text === text)
  if (entry) return entry.tokens
  const tokens = splitWords(text.toLowerCase().replace(asciiPunctuation, "").replace(articles, " "))
  last[oldest] = { text, tokens }
  oldest = 1 - oldest
  return tokens
}
