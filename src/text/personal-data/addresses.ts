import type { Span } from "../redact.ts"
import { particles, streets } from "./languages.ts"
import { phrasePattern } from "./persons.ts"

// Every repetition is bounded: a text costs no more than its length.
const word = "\\p{Lu}[\\p{L}\\p{M}'’.-]{1,40}"
const small = `(?:(?:${particles}|d['’]|l['’]) ?){0,3}`
const names = `${small}(?:[dlDL]['’])?(?:${word}|\\d{1,2}(?:st|nd|rd|th)?)(?: ${small}${word}){0,4}`
const number = "\\d{1,5}(?: ?[a-zA-Z](?![\\p{L}\\p{M}]))?(?:[-/]\\d{1,5}[a-zA-Z]?)?(?![\\p{L}\\p{N}])"
const town = "\\p{Lu}[\\p{L}\\p{M}'’-]{1,40}"
const places = `${town}(?:[ -]${small}${town}){0,3}`
const postcode = "(?:[A-Z]{1,2}-)?(?:\\d{5}(?:-\\d{3,4})?|\\d{4}(?:-\\d{3}| ?[A-Z]{2})?|\\d{2}-\\d{3})"
const gap = "(?:,? ?\\r?\\n|, ?| - | )"
const within = `(?:,? (?:Apt|Apartment|Suite|Unit|Flat|Floor)\\.? ?#?\\w{1,5})?`
const tail = `(?:${gap}(?:${postcode} ${places}|${places},? [A-Z]{2} \\d{5}(?:-\\d{4})?|(?:${places}${gap})?[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}(?![\\p{L}\\p{N}])))?`

const [head, end, suffix] = [streets.head, streets.end, streets.suffix].map((list) => phrasePattern([list]))
const before = "(?<![\\p{L}\\p{N}]|\\p{N}[.,/-])"
const patterns = [
  // 221B Baker Street, London NW1 6XE
  `${before}\\d{1,5}[a-zA-Z]?,? ${names} (?:${end})\\.?(?![\\p{L}\\p{M}])${within}${tail}`,
  // Berliner Straße 12, 10117 Berlin
  `${before}(?:${word} ){1,3}(?:${end})\\.? ${number}${tail}`,
  // Hauptstraße 5a, Keizersgracht 12
  `${before}\\p{Lu}[\\p{L}\\p{M}-]{1,40}(?<=${suffix})\\.? ${number}${tail}`,
  // 12 bis, rue de la Paix, 75002 Paris
  `${before}\\d{1,5}(?: ?(?:bis|ter|[a-zA-Z]))?,? (?:${head})\\.? ${names}${tail}`,
  // Calle Mayor, 3, 28013 Madrid
  `${before}(?:${head})\\.? ?${names},? (?:[nN][º°.o]{0,2} ?)?${number}${tail}`,
  // Unter den Linden 77, 10117 Berlin
  `${before}${names} ${number}${gap}${postcode} ${places}`,
].map((pattern) => new RegExp(pattern, "gu"))

/** Postal addresses as eight languages write them: a street with its number, and the postcode and town behind it. */
export function findAddresses(text: string): readonly Span[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: match }) => ({ start: index, end: index + match.length })),
  )
}
