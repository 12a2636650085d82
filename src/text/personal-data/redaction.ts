import { createHmac } from "node:crypto"
import type { Span } from "../redact.ts"
import { findAddresses } from "./addresses.ts"
import { findIds } from "./ids.ts"
import { findLeaks, type Leak } from "./leaks.ts"
import { type People, peopleOf } from "./persons.ts"

/** What is replaced. */
export type PersonalKind = Leak["kind"] | "person" | "address" | "id"

/** How pseudonyms are made. */
export interface RedactionOptions {
  /** ISO 3166 codes of the countries whose national phone numbers are found; default US. */
  readonly countries?: readonly string[] | undefined
  /**
   * Makes pseudonyms of its own (HMAC-SHA-256, 48 bits): the same in everything that is redacted with this key. Absent: they are numbered
   * as they come.
   */
  readonly key?: Buffer | undefined
}

/** Replaces personal data and secrets by pseudonyms such as `[email 2]`: the same text, the same pseudonym. */
export interface Redaction {
  /** Every text in a value of JSON, names of members among them. The value itself where nothing was found. */
  value<Value>(value: Value): Promise<Value>
  /** The same for a record: a person whose name is found anywhere in it is found in all of it, and fields such as `user_id` are replaced. */
  record<Value>(value: Value): Promise<Value>
  /** How many different ones were replaced, by kind. */
  counts(): ReadonlyMap<PersonalKind, number>
}

interface Found extends Span {
  readonly kind: PersonalKind
}

/** Fields whose whole text is a person, or an id, by their letters. */
const fieldKinds: ReadonlyMap<string, PersonalKind> = new Map([
  ...["firstname", "lastname", "fullname", "username", "customername", "displayname", "surname", "enduser"].map(
    (field) => [field, "person"] as const,
  ),
  ...["userid", "enduserid", "customerid", "accountid", "clientid", "user", "ipaddress", "passport", "ssn"].map(
    (field) => [field, "id"] as const,
  ),
])

/** Letters of addresses beyond ASCII; keys of further services, of a header and of an address's password. */
const further: readonly (readonly [PersonalKind, RegExp])[] = [
  ["email", /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu],
  [
    "secret",
    /\b(?:hf_[A-Za-z0-9]{30,60}|glpat-[A-Za-z0-9_-]{20,40}|npm_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{50,120}|[srp]k_(?:live|test)_[A-Za-z0-9]{16,120}|whsec_[A-Za-z0-9+/=]{20,80})/g,
  ],
  ["secret", /(?<=\b[Bb]earer )[A-Za-z0-9._~+/-]{16,2000}=*/g],
  ["secret", /(?<=:\/\/[^\s:@/]{1,64}:)[^\s@/]{3,128}(?=@)/g],
]

/** Characters that are read at a time, and how far a window reaches into the next: a longer key is found by its head. */
const [windowLength, overlapLength] = [32_000, 8_000]
/** Beyond, {@link findLeaks} stops. */
const maxFound = 1_000

/** One of these stands in everything that is found. */
const hint = /[\p{Lu}\p{Lt}\p{Nd}@]|::|:\/\/|earer |[a-z][-_][a-z_-]{10}|[a-f]:[a-f]{1,4}:/u

/** Short texts that hold nothing, names of members among them, and how many are remembered. */
const [maxShortLength, maxShortTexts] = [40, 10_000]

/** A redaction that has no pseudonym yet. @throws UsageError, at the first text, for a country without a numbering plan */
export function createRedaction({ countries, key }: RedactionOptions = {}): Redaction {
  const pseudonyms = new Map<string, string>()
  const counts = new Map<PersonalKind, number>()

  const pseudonymOf = (kind: PersonalKind, written: string): string => {
    const same = `${kind} ${normal(kind, written)}`
    const existing = pseudonyms.get(same)
    if (existing !== undefined) return existing
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    const name = key ? createHmac("sha256", key).update(same).digest("hex").slice(0, 12) : number
    pseudonyms.set(same, `[${kind} ${name}]`)
    return `[${kind} ${name}]`
  }

  const clean = new Set<string>()
  const replaced = async (whole: string, people: People): Promise<string> => {
    if (!hint.test(whole) || (clean.has(whole) && people.spans(whole).length === 0)) return whole
    let out = ""
    let end = 0
    for (const span of joined(await findAll(whole, people, countries))) {
      const written = whole.slice(span.start, span.end)
      const of = span.kind === "person" ? people.fullName(written) : written
      out += `${whole.slice(end, span.start)}${pseudonymOf(span.kind, of)}`
      end = span.end
    }
    if (end === 0 && whole.length <= maxShortLength && clean.size < maxShortTexts) clean.add(whole)
    return end === 0 ? whole : out + whole.slice(end)
  }

  const walk = async <Value>(value: Value, people: People | null): Promise<Value> => {
    if (typeof value === "string") return (await replaced(value, people ?? peopleOf([value]))) as Value
    // A payment card's digits as a number.
    if (typeof value === "number" && /^[3-6]\d{14,15}$/.test(String(value)))
      return (await walk(String(value), people).then((text) => (text === String(value) ? value : text))) as Value
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
    if (Array.isArray(value)) {
      const next: unknown[] = []
      for (const item of value) next.push(await walk(item, people))
      return next.some((item, i) => item !== value[i]) ? (next as Value) : value
    }
    const next: [string, unknown][] = []
    let isSame = true
    for (const [name, member] of Object.entries(value)) {
      const field = people && typeof member === "string" && fieldKinds.get(name.toLowerCase().replace(/[^a-z]/g, ""))
      const isWhole = field && member !== "" && member.length <= 128 && (field === "person" || !/\s/.test(member))
      const whole = isWhole ? pseudonymOf(field, people.fullName(member)) : await walk(member, people)
      const pair = [await walk(name, people), whole] as [string, unknown]
      isSame &&= pair[0] === name && pair[1] === member
      next.push(pair)
    }
    return isSame ? value : (Object.fromEntries(next) as Value)
  }

  return {
    value: (value) => walk(value, null),
    record: (value) => walk(value, peopleOf(textsIn(value))),
    counts: () => counts,
  }
}

/** Everything in a text, window by window: a window that is full of it is read in halves. */
async function findAll(text: string, people: People, countries: readonly string[] | undefined): Promise<Found[]> {
  const list: Found[] = []
  const read = async (start: number, length: number): Promise<void> => {
    const part = text.slice(start, start + length + overlapLength)
    const leaks = await findLeaks(part, countries)
    if (leaks.length >= maxFound && length > overlapLength) {
      await read(start, length / 2)
      return read(start + length / 2, length / 2)
    }
    const add = (kind: PersonalKind, spans: readonly Span[]) => {
      for (const span of spans) list.push({ kind, start: start + span.start, end: start + span.end })
    }
    for (const leak of leaks) add(leak.kind, [{ start: leak.start, end: leak.start + leak.length }])
    for (const [kind, pattern] of further)
      add(
        kind,
        [...part.matchAll(pattern)].map(({ index, 0: match }) => ({ start: index, end: index + match.length })),
      )
    add("address", findAddresses(part))
    add("id", findIds(part))
    add("person", people.spans(part))
  }
  for (let start = 0; start < text.length; start += windowLength) await read(start, windowLength)
  return list
}

/** In the order of the text; of what overlaps, all of it, of the longest one's kind. */
function joined(spans: Found[]): readonly Found[] {
  const all: (Found & { longest: number })[] = []
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    const length = span.end - span.start
    if (!last || span.start >= last.end) all.push({ ...span, longest: length })
    else {
      // Four numbers with dots could be dialled, too.
      const isLonger = length > last.longest || (length === last.longest && last.kind === "phone")
      const { kind } = isLonger ? span : last
      all[all.length - 1] = {
        kind,
        start: last.start,
        end: Math.max(last.end, span.end),
        longest: Math.max(length, last.longest),
      }
    }
  }
  return all
}

/** How one thing that is written in two ways is written once. */
function normal(kind: PersonalKind, written: string): string {
  const text = written.normalize("NFC").toLowerCase()
  if (kind === "secret") return written
  return kind === "person" || kind === "email" || kind === "address"
    ? text.replace(/\s+/g, " ")
    : text.replace(/[\s.()/-]/g, "")
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return []
  return Object.values(value).flatMap(textsIn)
}
