import type { Span } from "../redact.ts"
import { cues, particles } from "./languages.ts"

// Every repetition is bounded: a text costs no more than its length.
const word = "\\p{Lu}(?:['’]\\p{Lu})?[\\p{L}\\p{M}]{1,30}(?:[-'’]\\p{L}[\\p{L}\\p{M}]{1,30}){0,2}"
const part = `(?:(?:\\p{Lu}\\.[ -]?){1,4}(?=\\p{Lu})|(?:[dDlL]['’]|dell['’])?${word})`
const name = `(?:(?:${particles}) ){0,2}${part}(?:[ \u00a0]?(?<=[ \u00a0.-])(?:(?:${particles}) ){0,2}${part}){0,4}`

/** Alternatives of phrases, longest first, whatever their capitals. */
export function phrasePattern(lists: readonly string[], isExact = false): string {
  return lists
    .flatMap((list) => list.split("|"))
    .sort((a, b) => b.length - a.length)
    .map((phrase) =>
      phrase
        .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
        .replace(/ /g, "[ \u00a0]{1,2}")
        .replace(/'/g, "['’]"),
    )
    .map((phrase) => (isExact ? phrase : phrase.replace(/\p{Ll}/gu, (letter) => anyCase(letter))))
    .join("|")
}

function anyCase(letter: string): string {
  const capital = letter.toUpperCase()
  return capital.length === 1 ? `[${letter}${capital}]` : letter
}

const before = "(?<![\\p{L}\\p{N}])"
const rest = "(?![\\p{L}\\p{M}])"
const patterns = [
  `${before}(?:(?:${phrasePattern(cues.titles, true)})(?:\\.[ \u00a0]?|[ \u00a0])){1,3}(${name})${rest}`,
  `${before}(?:${phrasePattern(cues.introductions)})[,:]?[ "“*]{1,4}(${name})${rest}`,
  `${before}(?:${phrasePattern(cues.fields)})["*_ ]{0,3}[:=]["*_ \\t“]{0,4}(${name})${rest}`,
  `${before}(?:${phrasePattern(cues.greetings)}),?[ \u00a0](${name})(?=[ ]?(?:[,.!:;?–-]|\\n|$))`,
  `${before}(?:${phrasePattern(cues.farewells)})[,.!]?[ \\r\\n]{1,8}(?<=[,\\n] ?)(${name})(?=[ ]?(?:[,.\\r\\n]|$))`,
  `${before}(${name})"?[ ]{1,2}[<(](?=[^<>()\\s@]{1,64}@)`,
].map((pattern) => new RegExp(pattern, "dgu"))

const nobody = new Set(cues.nobody.flatMap((list) => list.split("|")))

/**
 * Names of people by what stands beside them: a title, an introduction, a field of a form, a greeting, a farewell, an e-mail address, in
 * eight languages. A name is written with capitals; one without a cue is not found.
 */
export function findPersons(text: string): readonly Span[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ indices }): Span[] => {
      const [start = 0, last = 0] = indices?.[1] ?? []
      const written = text.slice(start, last)
      const end = /['’]s$/.test(written) ? last - 2 : last
      return written.split(/\s+/).every((token) => nobody.has(token.toLowerCase())) ? [] : [{ start, end }]
    }),
  )
}

/** People of one record: finds their names, and parts of these that are no small words, wherever they stand. */
export interface People {
  spans(text: string): readonly Span[]
  /** The fullest name that a written one belongs to. */
  fullName(written: string): string
}

/** @param texts all texts of the record */
export function peopleOf(texts: readonly string[]): People {
  const cased = texts.filter((text) => /\p{Lu}/u.test(text))
  const names = new Set(cased.flatMap((text) => findPersons(text).map(({ start, end }) => text.slice(start, end))))
  const sorted = [...names].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const small = new Set(particles.split("|"))
  const parts = sorted.flatMap(partsOf).filter((piece) => piece.length > 2 && !small.has(piece.toLowerCase()))
  const written = [...new Set([...sorted, ...parts].flatMap((text) => [text, text.toUpperCase(), capitalised(text)]))]
  const pattern = written.sort((a, b) => b.length - a.length).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const mentions = written.length === 0 ? null : new RegExp(`${before}(?:${pattern.join("|")})(?![\\p{L}\\p{N}])`, "gu")
  return {
    spans: (text) =>
      mentions === null
        ? []
        : [...text.matchAll(mentions)].map(({ index, 0: mention }) => ({ start: index, end: index + mention.length })),
    fullName(mention) {
      const own = partsOf(mention).map((part) => part.toLowerCase())
      return sorted.find((full) => isWithin(own, partsOf(full))) ?? mention
    },
  }
}

/** MÜLLER as Müller. */
function capitalised(piece: string): string {
  return piece === piece.toUpperCase()
    ? piece.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (first) => first.toUpperCase())
    : piece
}

function partsOf(written: string): readonly string[] {
  return written.split(/[\s.]+/).filter((piece) => piece !== "")
}

function isWithin(parts: readonly string[], full: readonly string[]): boolean {
  const words = new Set(full.map((piece) => piece.toLowerCase()))
  return parts.every((own) => words.has(own))
}
