import { splitWords } from "./python-text.ts"
import { syllables } from "./syllables.ts"

/** The counts that readability formulas use. */
export interface TextCounts {
  readonly words: number
  /** At least 1. */
  readonly sentences: number
  readonly syllables: number
  /** Characters that are not white space. */
  readonly characters: number
  /** Characters that are neither white space nor punctuation. */
  readonly letters: number
  /** Words of more than six letters. */
  readonly longWords: number
}

/**
 * Counts of a text as textstat makes them: words are what stands between white space once punctuation is gone; a piece up to
 * ".", "!" or "?" is a sentence when it has more than two words (so "Dr." is not one). Linear in the text.
 */
export function textCounts(text: string): TextCounts {
  const words = splitWords(withoutPunctuation(text))
  let sentences = 0
  for (const piece of text.split(/[.!?]+/)) if (splitWords(withoutPunctuation(piece)).length > 2) sentences++
  return {
    words: words.length,
    sentences: Math.max(1, sentences),
    syllables: words.reduce((sum, word) => sum + syllables(word), 0),
    characters: length(splitWords(text).join("")),
    letters: length(words.join("")),
    longWords: words.filter((word) => length(word) > 6).length,
  }
}

function withoutPunctuation(text: string): string {
  return text.replace(/'(?!(?:[tsd]|ve|ll|re)(?![\p{L}\p{N}_]))|[^\p{L}\p{N}_\s']/gu, "")
}

/** Code points. */
function length(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
