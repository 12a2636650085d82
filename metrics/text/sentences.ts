/** A sentence and where it stands in its text (UTF-16 units). */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

const closing = new Set(['"', "'", "”", "’", ")", "]", "»"])
const full = new Set([".", "!", "?", "…"])
const fullWide = new Set(["。", "！", "？"])
const abbreviation = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|etc|cf|No|Fig|[A-Z])$/

/**
 * Splits a text into sentences: at ., !, ? or … followed by white space, at their full-width forms, and at line ends. Titles,
 * initials and a few abbreviations do not end a sentence. Linear in the text.
 *
 * @example splitSentences("Dr. Ada came. She left.") // texts "Dr. Ada came." and "She left."
 */
export function splitSentences(text: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  let start = 0
  const cut = (end: number) => {
    const piece = text.slice(start, end)
    const trimmed = piece.trim()
    if (trimmed !== "") {
      const from = start + piece.indexOf(trimmed)
      sentences.push({ text: trimmed, start: from, end: from + trimmed.length })
    }
    start = end
  }
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string
    if (character === "\n" || fullWide.has(character)) cut(i + 1)
    else if (full.has(character)) {
      const dot = i
      while (closing.has(text[i + 1] ?? "")) i++
      const next = text[i + 1]
      const ends = next === undefined || /\s/.test(next)
      if (ends && !(character === "." && abbreviation.test(text.slice(Math.max(start, dot - 8), dot)))) cut(i + 1)
    }
  }
  cut(text.length)
  return sentences
}
