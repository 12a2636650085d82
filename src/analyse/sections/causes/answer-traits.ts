import type { Generation } from "../../../core/generation.ts"
import { languageOfText } from "../../../text/language.ts"
import { parseJsonAnswer } from "../../../text/reading/json-answer.ts"
import { isRefusal } from "../../../text/refusal.ts"
import type { TraitKind } from "../../../wording/sections/regressions.ts"

/** A kind and its value, which may be empty: `word:kg`, `language:de`, `refusal:`. */
export type Trait = `${TraitKind}:${string}`

/** Bounds of one text: characters, and different words, that are read. */
const maxCharacters = 2_000
const maxWords = 300
const maxWordLength = 40

const markups: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["list", /^[ \t]{0,8}(?:[-*•]|\d{1,3}[.)])[ \t]/m],
  ["table", /^[ \t]{0,8}\|[^\n]{1,400}\|/m],
  ["heading", /^#{1,6} /m],
  ["bold", /\*\*\S/],
  ["code", /^[ \t]{0,8}(?:\x60{3}|~~~)/m],
]

/** The traits of an answer that came; languages only where their detector is loaded. Linear in the text. */
export function traitsOf({ text: whole, outcome, toolCalls }: Generation): ReadonlySet<Trait> {
  const text = whole.slice(0, maxCharacters)
  const traits = new Set<Trait>(toolCalls.map(({ name }): Trait => `tool:${name}`))
  if (outcome !== "ok") traits.add(`outcome:${outcome}`)
  if (outcome === "refused" || isRefusal(text)) traits.add("refusal:")
  const language = languageOfText(text)
  if (language !== null) traits.add(`language:${language}`)
  const [first, last] = [whole.trimStart().at(0), whole.trimEnd().at(-1)]
  if (first !== undefined && isMark(first)) traits.add(`begins:${first}`)
  if (last !== undefined && isMark(last)) traits.add(`ends:${last}`)
  if (/^[[{\x60~]/.test(text.trimStart()) && parseJsonAnswer(whole) !== undefined) traits.add("json:")
  for (const [name, pattern] of markups) if (pattern.test(text)) traits.add(`markup:${name}`)
  if (/\p{Nd}/u.test(text)) traits.add("number:")
  for (const [form] of text.matchAll(/\p{Nd}+(?:[.,:/-]\p{Nd}+)+/gu))
    traits.add(`number form:${form.replace(/\p{Nd}+/gu, "9")}`)
  const lower = text.toLowerCase()
  if (text !== lower && text === text.toUpperCase()) traits.add("upper case:")
  // Numbers are the answers themselves: which of them is wrong names no cause.
  addWords(lower, /[\p{L}\p{M}]+|[\p{Sc}%°]/gu, (word) => traits.add(`word:${word}`))
  return traits
}

/** The different words of an input, in lower case, whatever its script; texts without spaces between words are cut where their letters end. */
export function inputWordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  addWords(text.slice(0, maxCharacters).toLowerCase(), /[\p{L}\p{M}\p{N}]+/gu, (word) => words.add(word))
  return words
}

function addWords(text: string, pattern: RegExp, add: (word: string) => void): void {
  const seen = new Set<string>()
  for (const [word] of text.matchAll(pattern)) {
    if (seen.size === maxWords) return
    if (seen.has(word) || word.length > maxWordLength) continue
    seen.add(word)
    add(word)
  }
}

function isMark(character: string): boolean {
  return !/[\p{L}\p{M}\p{N}\s\ud800-\udfff]/u.test(character)
}
