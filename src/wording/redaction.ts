import type { PersonalKind } from "../text/personal-data/redaction.ts"
import { listed } from "../words/names.ts"
import { count } from "../words/number.ts"

const nouns: Readonly<Record<PersonalKind, readonly [one: string, several: string]>> = {
  person: ["name of a person", "names of people"],
  email: ["e-mail address", "e-mail addresses"],
  phone: ["phone number", "phone numbers"],
  card: ["payment card", "payment cards"],
  iban: ["IBAN", "IBANs"],
  secret: ["key", "keys"],
  address: ["postal address", "postal addresses"],
  id: ["personal id", "personal ids"],
}

export const notRedacted = "texts are kept as they came; --redact replaces personal data that can be found"

/** What was replaced, and what is not found: counts of different ones, never what they were. */
export function redactionSentence(counts: ReadonlyMap<PersonalKind, number>): string {
  const parts = (Object.keys(nouns) as PersonalKind[]).flatMap((kind) => {
    const n = counts.get(kind) ?? 0
    return n === 0 ? [] : [`${count(n)} ${nouns[kind][n === 1 ? 0 : 1]}`]
  })
  const summary = parts.length === 0 ? "nothing was found to redact" : `${listed(parts)} redacted`
  return `${summary}; names without a title, greeting or other cue beside them, postal addresses without a street and number, dates of birth and keys of unknown shapes are not found`
}
