import { isIP } from "node:net"
import type { Span } from "../redact.ts"
import { cues } from "./languages.ts"
import { phrasePattern } from "./persons.ts"

/** The letter of a Spanish DNI or NIE. (Orden INT/2058/2008) */
function validDni(text: string): boolean {
  const plain = text.replace(/[ .-]/g, "")
  const digits = plain.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)))
  return "TRWAGMYFPDXBNJZSQVHLCKE"[Number(digits) % 23] === plain.at(-1)
}

/** The key of a French number of social security: 97 less the rest of the number by 97. (INSEE) */
function validNir(text: string): boolean {
  const plain = text.replace(/ /g, "").replace("2A", "19").replace("2B", "18")
  return 97n - (BigInt(plain.slice(0, 13)) % 97n) === BigInt(plain.slice(13))
}

/** The last digit of a weighted sum: 10 less its rest. (PESEL) */
function validPesel(text: string): boolean {
  const digits = [...text].map(Number)
  const sum = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3].reduce((all, weight, i) => all + weight * (digits[i] as number), 0)
  return (10 - (sum % 10)) % 10 === digits[10] && ((digits[2] as number) * 10 + (digits[3] as number)) % 20 <= 12
}

const always = () => true

// Every repetition is bounded: a text costs no more than its length.
const shapes: readonly (readonly [RegExp, (text: string) => boolean])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, always],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g, (text) => isIP(text) === 4],
  [/(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi, (text) => isIP(text) === 6 && text.length > 6],
  [/(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g, always],
  [/\b(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/g, always],
  [/\b(?:[XYZ][ -]?\d{7}|\d{2}\.?\d{3}\.?\d{3})[ -]?[A-Z]\b/g, validDni],
  [/\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b/g, always],
  [/\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}\b/g, validNir],
  [/\b\d{11}\b/g, validPesel],
  [/\b\d{3}\.\d{3}\.\d{3}-\d{2}\b/g, always],
]

const linking = "(?:is|ist|est|es|è|é|jest|lautet|nr|no|nº|n°|number|numer|número|numero|numéro)"
const labelled = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${phrasePattern(cues.numbers)})(?:[^\\p{L}\\p{N}\\n]{1,4}${linking}){0,2}[^\\p{L}\\p{N}\\n]{1,4}((?=[\\p{L}./-]{0,8}\\d)[\\p{Lu}\\d](?:[./-]?[A-Za-z\\d]| (?=\\d)){2,30})`,
  "dgu",
)

/**
 * Numbers that are somebody's: IP addresses, UUIDs, national ones that carry a check digit or a shape of their own (US, GB, ES, FR, IT, PL,
 * BR), and what stands behind its name in one of eight languages ("Kundennummer: 4711-22").
 */
export function findIds(text: string): readonly Span[] {
  const byShape = shapes.flatMap(([pattern, valid]) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: match }) =>
      valid(match) ? [{ start: index, end: index + match.length }] : [],
    ),
  )
  const byName = [...text.matchAll(labelled)].flatMap(({ indices }) => {
    const [start, end] = indices?.[1] ?? []
    return start === undefined || end === undefined ? [] : [{ start, end }]
  })
  return [...byShape, ...byName]
}
