import { type Language, type LanguageCode, languageOf } from "../text/languages/language.ts"

/** A sentence and its place in its text (UTF-16 units). */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

const closing = new Set(['"', "'", "”", "’", ")", "]", "»"])
const full = new Set([".", "!", "?", "…"])
const fullWide = new Set(["。", "！", "？"])
const fullArabic = new Set(["؟", "۔"])
const abbreviation = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|etc|cf|No|Fig|[A-Z])$/

/**
 * Splits a text into sentences: at ., !, ? or … followed by white space, at their full-width forms, and at line ends. Titles,
 * initials and a few abbreviations do not end a sentence. Linear in the text.
 *
 * With a `language` its abbreviations count instead of the English ones, single letters ("z. B.") do not end a sentence, in
 * German and Norwegian neither do ordinals ("3. Oktober"), and the Arabic question mark does. (natural's sentence tokenizer is
 * not used: it knows abbreviations of two languages, finds them within words, and its time grows with the square of the text.)
 *
 * @example splitSentences("Dr. Ada came. She left.") // texts "Dr. Ada came." and "She left."
 */
export function splitSentences(text: string, language?: LanguageCode): readonly Sentence[] {
  const stays = language === undefined ? english : staysOpen(languageOf(language, "splitSentences(text, language)"))
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
    else if (full.has(character) || (language !== undefined && fullArabic.has(character))) {
      const dot = i
      while (closing.has(text[i + 1] ?? "")) i++
      const next = text[i + 1]
      const ends = next === undefined || /\s/.test(next)
      if (ends && !(character === "." && stays(text.slice(Math.max(start, dot - 12), dot)))) cut(i + 1)
    }
  }
  cut(text.length)
  return sentences
}

/** Whether the full stop after these characters belongs to an abbreviation. */
function english(before: string): boolean {
  return abbreviation.test(before.slice(-8))
}

function staysOpen({ abbreviations, ordinals }: Language): (before: string) => boolean {
  return (before) => {
    const word = before.split(/[\s([{«„“"']/u).at(-1) ?? ""
    if (/^\p{L}$/u.test(word) || (ordinals && /^\d{1,2}$/.test(word))) return true
    return abbreviations.includes(word.toLowerCase())
  }
}
