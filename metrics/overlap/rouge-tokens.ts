import type { Vocabulary } from "../../src/text/vocabulary.ts"
import type { Stem } from "../text/languages/stemmer.ts"
import { wordsOf } from "../text/languages/words.ts"
import { porterStem } from "../text/porter-stemmer.ts"

/**
 * The tokens of Google's rouge_score as numbers of a vocabulary: runs of a–z and 0–9 in the lower-case text, everything
 * else separates. So a Chinese text has no tokens. With `stem`, tokens of more than three characters are stemmed.
 */
export function rougeTokens(text: string, stem: boolean, vocabulary: Vocabulary): Int32Array {
  const line = text.toLowerCase()
  if (numbers.length < line.length || numbers.length > 2 ** 20) numbers = new Int32Array(Math.max(1024, line.length))
  let count = 0
  let start = 0
  for (let i = 0; i <= line.length; i++) {
    const code = i < line.length ? line.charCodeAt(i) : 0
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) continue
    if (i > start)
      numbers[count++] =
        stem && i - start > 3 ? vocabulary.add(porterStem(line.slice(start, i))) : vocabulary.add(line, start, i)
    start = i + 1
  }
  return numbers.slice(0, count)
}
let numbers = new Int32Array(1024)

/** The words of a text in any script as numbers of a vocabulary, each by its stem; as they are where `stem` is null. */
export function languageTokens(text: string, stem: Stem | null, vocabulary: Vocabulary): Int32Array {
  const words = wordsOf(text)
  return vocabulary.number(stem === null ? words : words.map(stem))
}
