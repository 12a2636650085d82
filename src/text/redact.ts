/** Takes what is secret out of a text. */
export interface Redact {
  (text: string): string
  /** Where secrets stand, in ascending order, none over another. */
  spans(text: string): readonly Span[]
}

/** A part of a text: from `start` up to `end`, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What replaces a secret. */
export const hidden = "•••"

/** Shortest text that counts as a secret: shorter ones occur in ordinary answers. */
const minSecretLength = 6

/** What local servers take for a key when they want none: words that answers may well hold. */
const placeholders = new Set([
  "ollama",
  "lm-studio",
  "no-key",
  "not-needed",
  "sk-no-key-required",
  "placeholder",
  "token",
])

/** Whether a text can be told from ordinary words, so that it may be taken out of answers. */
export function canBeRedacted(secret: string): boolean {
  return secret.length >= minSecretLength && !placeholders.has(secret.toLowerCase())
}

/** Characters from which on words without a blank between them are a passphrase, and digits alone a key. */
const [minPassphraseLength, minNumberLength] = [20, 12]

/**
 * Whether a text is written as a key is, and not as words or a number: "Team Berlin" and "100000" may stand in many answers, whatever
 * the header is called that holds them.
 */
export function looksSecret(text: string): boolean {
  if (!canBeRedacted(text)) return false
  if (/^[\d.,:-]+$/.test(text)) return text.length >= minNumberLength
  const isWords = text.split(/[\s_.-]/).every(isWord)
  return !isWords || (text.length >= minPassphraseLength && !/\s/.test(text))
}

/**
 * Whether letters are written as a word is (all small, all capitals, or with one at its head), with up to three digits behind it, or as
 * a version or a size: `oauth2`, `gpt-4o`, `3.1`, `8b`.
 */
function isWord(letters: string): boolean {
  return /^(?:(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+)\d{0,3}|v?\d{1,2}\p{L}?)$/u.test(letters)
}

/**
 * A function that replaces the given secrets, as they are, percent-encoded, inside JSON strings and in base64, by
 * {@link hidden}. Nothing else is touched: an answer is never rewritten because a part of it looks like a key.
 *
 * @example createRedact(["s3cret-word"])("refused s3cret-word, sk-0123456789abcdef") // "refused •••, sk-0123456789abcdef"
 */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = [...new Set(secrets.filter(canBeRedacted).flatMap(formsOf))]
  const spans = (text: string): readonly Span[] => {
    if (text.length < minSecretLength) return []
    const list = forms.flatMap((form) => placesOf(form, text))
    return list.length < 2 ? list : merged(list)
  }
  const redact = (text: string): string => {
    const pieces = spans(text)
    const kept = pieces.map(({ start }, i) => text.slice(pieces[i - 1]?.end ?? 0, start) + hidden)
    return pieces.length === 0 ? text : kept.join("") + text.slice(pieces.at(-1)?.end)
  }
  return Object.assign(redact, { spans })
}

function placesOf(form: string, text: string): readonly Span[] {
  const places: Span[] = []
  for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + form.length))
    places.push({ start, end: start + form.length })
  return places
}

function merged(spans: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}

/** Every text inside a JSON value redacted, names of members too; the value itself when there is nothing to hide. */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  if (typeof value === "string") return redact(value) as Value
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value))
    return kept(value, value.map((item: unknown) => redactValue(item, redact)) as Value & unknown[])
  const entries = Object.entries(value)
  const clean = entries.map(([name, member]) => [redact(name), redactValue(member, redact)] as const)
  const same = clean.every(([name, member], i) => name === entries[i]?.[0] && member === entries[i]?.[1])
  return same ? value : (Object.fromEntries(clean) as Value)
}

/** Cuts a message for people to a length that fits a record: white space folded, at most `limit` characters. */
export function bound(text: string, limit = 500): string {
  const folded = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim()
  return folded.length <= limit ? folded : `${folded.slice(0, limit - 1)}…`
}

function kept<Item, List extends readonly Item[]>(before: List, after: List): List {
  return after.every((item, i) => item === before[i]) ? before : after
}

function formsOf(secret: string): readonly string[] {
  const percent = encodeURIComponent(Buffer.from(secret).toString())
  return [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll("%20", "+"),
    JSON.stringify(secret).slice(1, -1),
    ...base64Forms(secret),
  ]
}

/**
 * How a secret looks inside a longer text in base64, at each of the three places where it can begin: only the characters that
 * it alone decides, so what is beside it does not matter.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64")
    const own = encoded.slice([0, 2, 3][offset], Math.floor(((offset + bytes.length) * 8) / 6))
    return own.length < minSecretLength ? [] : [own, own.replaceAll("+", "-").replaceAll("/", "_")]
  })
}
