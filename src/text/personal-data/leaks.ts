import { findPhoneNumbers } from "./phone-numbers.ts"

/** Personal data or a secret in a text. @experimental */
export interface Leak {
  readonly kind: "email" | "phone" | "card" | "iban" | "secret"
  readonly start: number
  readonly length: number
}

/** Characters that are read. */
const maxTextLength = 1_000_000

// Every repetition is bounded or runs over one character class with nothing after it that the class could match: linear.
const patterns: readonly (readonly [Leak["kind"], RegExp, (text: string) => boolean])[] = [
  [
    "secret",
    /\b(?:sk-[A-Za-z0-9_-]{20,200}|gh[pousr]_[A-Za-z0-9]{36,255}|AKIA[0-9A-Z]{16}|xox[abprs]-[A-Za-z0-9-]{10,200}|AIza[0-9A-Za-z_-]{35}|eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,2000})|-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----/g,
    () => true,
  ],
  [
    "email",
    /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])/g,
    () => true,
  ],
  ["iban", /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, validIban],
  ["card", /(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d-])/g, (text) => validLuhn(text)],
]

/**
 * Personal data and secrets in a text: e-mail addresses, phone numbers that the world's numbering plans allow (by libphonenumber:
 * international ones of every country, national ones of the countries named), payment cards (Luhn's checksum), IBANs (ISO 7064
 * checksum), and keys of known shapes (OpenAI, GitHub, AWS, Slack, Google, JWT, PEM). The text itself is not repeated: only kind and
 * place. Linear in the text, of which a million characters are read (for phone numbers 50,000).
 *
 * @param countries ISO 3166 codes of the countries whose national phone numbers are found; default US
 * @throws UsageError for a country without a known numbering plan
 * @example await findLeaks("mail ada@example.org") // [{ kind: "email", start: 5, length: 15 }]
 * @experimental
 */
export async function findLeaks(text: string, countries?: readonly string[]): Promise<readonly Leak[]> {
  const taken = [...findPatterns(text)]
  for (const number of await findPhoneNumbers(text, countries)) {
    const leak = { kind: "phone", ...number } as const
    if (taken.length < 1_000 && !taken.some((other) => overlap(other, leak))) taken.push(leak)
  }
  return taken
}

/** What has a shape of its own, without phone numbers. */
export function findPatterns(text: string): readonly Leak[] {
  const seen = text.slice(0, maxTextLength)
  const taken: Leak[] = []
  for (const [kind, pattern, valid] of patterns)
    for (const match of seen.matchAll(pattern)) {
      const leak = { kind, start: match.index, length: match[0].length }
      if (taken.length >= 1_000) return taken
      if (valid(match[0]) && !taken.some((other) => overlap(other, leak))) taken.push(leak)
    }
  return taken
}

/** Luhn's checksum of the digits in a text, as payment cards carry it. */
export function validLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, "")
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return digits.length >= 13 && /[1-9]/.test(digits) && sum % 10 === 0
}

/** The checksum of an IBAN: moved, spelled as digits, it is 1 modulo 97. */
export function validIban(text: string): boolean {
  const plain = text.replace(/ /g, "")
  if (plain.length < 15 || plain.length > 34) return false
  let rest = 0
  for (const character of plain.slice(4) + plain.slice(0, 4))
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

function overlap(leak: Leak, other: Leak): boolean {
  return leak.start < other.start + other.length && other.start < leak.start + leak.length
}
