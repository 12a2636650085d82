import { splitWords, stripSpace } from "./python-text.ts"
import { splitPunctuation, tokenize13a } from "./tokenize-13a.ts"

/** Splits a text into tokens. Must be a pure function: its name is in the signature. @experimental */
export type Tokenizer = (text: string) => string[]

/**
 * sacreBLEU's tokenizers that need no dictionary. For Japanese and Korean (MeCab) pass a function of your own to `bleu`.
 * - `13a`: mteval-v13a, the default for languages with spaces
 * - `intl`: mteval-v14's international tokenization, by Unicode punctuation and symbols
 * - `zh`: Chinese characters as single tokens, the rest as 13a
 * - `char`: every code point; white space is not a token
 * - `none`: split at white space
 */
export const sacrebleuTokenizers = {
  "13a": tokenize13a,
  intl: tokenizeIntl,
  zh: tokenizeZh,
  char: tokenizeChar,
  none: splitWords,
} as const satisfies Record<string, Tokenizer>

/** Name of one of {@link sacrebleuTokenizers}. @experimental */
export type TokenizerName = keyof typeof sacrebleuTokenizers

function tokenizeIntl(text: string): string[] {
  return splitWords(
    text
      .replace(/(\P{N})(\p{P})/gu, "$1 $2 ")
      .replace(/(\p{P})(\P{N})/gu, " $1 $2")
      .replace(/\p{S}/gu, " $& "),
  )
}

function tokenizeChar(text: string): string[] {
  return splitWords(Array.from(text).join(" "))
}

// sacreBLEU writes two ranges of the supplementary planes with four digits ("\u20000" is U+2000 and "0"), so that it takes
// U+2001..U+2A6D for Chinese and leaves Extension B alone; kept, since scores must agree.
const chinese =
  /[\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\u2001-\u2a6d\u2f81-\u2fa1\uff00-\uffef\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f\ufe30-\ufe4f\u3200-\u33ff]/g

function tokenizeZh(text: string): string[] {
  const tokens: string[] = []
  const line = stripSpace(text).replace(chinese, " $& ")
  splitPunctuation(line, false, (start, end) => tokens.push(line.slice(start, end)))
  return tokens
}
