import { languageOfText, unspacedLetter } from "../../src/text/language.ts"
import { asciiDigits } from "../../src/text/reading/numeral.ts"
import { withoutCitationMarks } from "./citation-marks.ts"

/** Something checkable that a text states. @public */
export interface Fact {
  readonly kind: "number" | "date" | "name" | "quotation" | "url" | "citation"
  /** As it is written in the text. */
  readonly text: string
  readonly start: number
  /** The key it is compared by. */
  readonly key: string
}

/** Characters of a text that are read, and facts that are kept, at most. */
const maxTextLength = 200_000
const maxFacts = 2_000

const months = "january february march april may june july august september october november december".split(" ")
const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"

// No pattern has a repetition inside a repetition that could match the same text in two ways, and those that search for an end
// search a bounded distance: every pattern is linear in the text.
const patterns: readonly (readonly [Fact["kind"], RegExp, (text: string) => string])[] = [
  ["url", /\b(?:https?:\/\/|www\.)[^\s<>"'()[\]{}]{1,2000}/giu, urlKey],
  [
    "citation",
    /\bdoi:\s?10\.\d{4,9}\/[^\s<>"]{1,200}|\barXiv:\d{4}\.\d{4,5}|\(\p{Lu}[\p{L}'’-]{1,40}(?: et al\.?| (?:and|&) \p{Lu}[\p{L}'’-]{1,40})?,? \d{4}[a-z]?\)/giu,
    plainKey,
  ],
  ["quotation", /"[^"\n]{12,400}"|“[^”\n]{12,400}”|«[^»\n]{12,400}»/gu, (text) => plainKey(text.slice(1, -1))],
  [
    "date",
    new RegExp(
      `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${month}\\.?,? \\d{4}\\b|\\b${month}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}\\b`,
      "giu",
    ),
    dateKey,
  ],
  [
    "number",
    // Beside a letter of a script without blanks a number stands by itself; beside others it is part of a name ("GPT4").
    new RegExp(
      `(?<!(?!${unspacedLetter})[\\p{L}\\p{N}.,])(?!(?<=^|\\n)\\d{1,3}[.)] )[-−]?\\d{1,30}(?:[.,]\\d{1,30}){0,10}(?!(?!${unspacedLetter})\\p{L})`,
      "gu",
    ),
    numberKey,
  ],
  ["name", /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}'’-]{1,60}(?: \p{Lu}[\p{L}\p{M}'’-]{1,60}){0,5}/gu, plainKey],
]

/**
 * The facts that a text states in a form that can be looked up: URLs, citations, quotations, dates, numbers and names, in
 * this order; each place is read once. A capitalised word that starts a sentence or a line counts as a name only when more
 * capitalised words follow it (the first is then left out if it is a function word); the numbering of a list is no number, and neither is a mark that
 * names a passage ("[2]"). Linear in the text.
 *
 * @example extractFacts("It was founded by Ada King in 1815.") // name "Ada King", number "1815"
 */
export function extractFacts(text: string): readonly Fact[] {
  const seen = withPlainDigits(withoutCitationMarks(text.slice(0, maxTextLength)))
  // Every noun of German begins with a capital letter.
  const namesNouns = /\p{Lu}/u.test(seen) && languageOfText(seen) === "de"
  const taken = new Uint8Array(seen.length)
  const facts: Fact[] = []
  for (const [kind, pattern, key] of patterns) {
    if (kind === "name" && namesNouns) continue
    for (const match of seen.matchAll(pattern)) {
      if (facts.length >= maxFacts) return facts
      const span = kind === "name" ? nameAt(seen, match.index, match[0]) : { text: match[0], start: match.index }
      if (!span || taken[span.start] === 1) continue
      taken.fill(1, span.start, span.start + span.text.length)
      const { start } = span
      facts.push({ kind, text: text.slice(start, start + span.text.length), start, key: key(span.text) })
    }
  }
  return facts
}

/** Where facts are looked up: a text with its words, numbers and dates. */
export interface FactIndex {
  has(fact: Fact): boolean
}

/** An index of texts, to find facts in. Names are found by their words, so that "King" is enough for "Ada King"'s second use. */
export function factIndex(texts: readonly string[]): FactIndex {
  const whole = texts.map((text) => withPlainDigits(text.slice(0, maxTextLength)))
  const plain = plainKey(whole.join("\n"))
  const words = new Set(plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
  const keys = new Set(whole.flatMap((text) => [...extractFacts(text)].map(({ kind, key }) => `${kind}:${key}`)))
  for (const text of whole)
    for (const match of text.matchAll(/\d{1,30}(?:[.,]\d{1,30}){0,10}/gu)) keys.add(`number:${numberKey(match[0])}`)
  for (const [i, word] of numberWords.entries()) if (words.has(word)) keys.add(`number:${i}`)
  return {
    has({ kind, key }) {
      if (kind === "number") return keys.has(`number:${key}`)
      if (kind === "date") return keys.has(`date:${key}`) || plain.includes(key)
      if (kind === "name")
        return (key.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).every(
          (word) => words.has(word) || words.has(word.replace(/s$/, "")),
        )
      return plain.includes(key)
    },
  }
}

const numberWords = "zero one two three four five six seven eight nine ten eleven twelve".split(" ")
const openers = new Set(
  "The A An In On At It He She We They I You But And Or If When While This That These Those As For From With By To Of Its His Her Their Our My Your There Here What Who Where Why How Yes No Not So Then Thus However Also After Before During Since Although Because".split(
    " ",
  ),
)

/** A name without a leading word that is capitalised only because it begins a sentence. */
function nameAt(text: string, start: number, match: string): { text: string; start: number } | null {
  const before = text.slice(Math.max(0, start - 3), start).trimEnd()
  const opens =
    before === "" || /[.!?:;"“*#(\n•-]$/.test(before) || text.slice(Math.max(0, start - 3), start).includes("\n")
  const [first] = match.split(" ", 1) as [string]
  if (!openers.has(first)) return opens && first === match ? null : { text: match, start }
  return first === match ? null : nameAfter(start + first.length + 1, match.slice(first.length + 1))
}

function nameAfter(start: number, text: string): { text: string; start: number } | null {
  return openers.has(text) ? null : { text, start }
}

/** Digits of every script as 0 to 9, full-width ones too; places stay. */
function withPlainDigits(text: string): string {
  return text.replace(/[^\x00-\x7f]/gu, (character) =>
    character.length === 1 && /\p{Nd}/u.test(character) ? asciiDigits(character) : character,
  )
}

function plainKey(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/gu, " ").trim()
}

function urlKey(text: string): string {
  return plainKey(text)
    .replace(/^https?:\/\//, "")
    .replace(/[.,;:!?]$/, "")
    .replace(/\/$/, "")
}

/** Thousands' commas and trailing zeros do not matter: "1,250.0" is 1250. */
function numberKey(text: string): string {
  const plain = text
    .replace("−", "-")
    .replace(/,(?=\d{3}(?!\d))/g, "")
    .replace(",", ".")
  const value = Number(plain)
  return Number.isFinite(value) ? String(value) : plain
}

function dateKey(text: string): string {
  if (/^\d{4}-/.test(text)) return text
  const name =
    text
      .toLowerCase()
      .match(/[a-z]{3,}/g)
      ?.find((word) => months.some((entry) => entry.startsWith(word.slice(0, 3)))) ?? ""
  const at = months.findIndex((entry) => entry.startsWith(name.slice(0, 3))) + 1
  const [a = "", b = ""] = text.match(/\d+/g) ?? []
  const [day, year] = a.length === 4 ? [b, a] : [a, b]
  return `${year}-${String(at).padStart(2, "0")}-${day.padStart(2, "0")}`
}
