import { unspacedLetter } from "../language.ts"

/** What the words of a question are. */
export interface QuestionWords {
  /** Words, numbers and signs in their order: lower case, in one Unicode form (NFKC). Punctuation is none. */
  readonly words: readonly string[]
  /** The numbers and signs among them: two questions with others are never the same. */
  readonly figures: readonly string[]
}

/** Numbers with their points, a character of a script without blanks, words, signs. A hyphen between letters is none. */
const pattern = new RegExp(
  `(\\p{N}+(?:[.,]\\p{N}+)*)|${unspacedLetter}\\p{M}*|[\\p{L}\\p{M}_]+(?:['’][\\p{L}\\p{M}]+)*|([\\p{S}*/%&#@\\\\]|(?<!\\p{L})-|-(?!\\p{L}))`,
  "gu",
)

/** The same for texts of ASCII alone, several times as fast. */
const asciiPattern = /([0-9]+(?:[.,][0-9]+)*)|[a-z_]+(?:'[a-z]+)*|([$+<=>^`|~*/%&#@\\]|(?<![a-z])-|-(?![a-z]))/g

/** The words, numbers and signs of a text. */
export function questionWords(text: string): QuestionWords {
  const isAscii = /^[\x00-\x7f]*$/.test(text)
  const lower = (isAscii ? text : text.normalize("NFKC")).toLowerCase()
  const words: string[] = []
  const figures: string[] = []
  for (const [word, number, sign] of lower.matchAll(isAscii ? asciiPattern : pattern)) {
    words.push(word)
    if (number !== undefined || sign !== undefined) figures.push(word)
  }
  return { words, figures }
}

/** 32 bits of a word (FNV-1a). */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
