import { createRedact, looksSecret, type Redact } from "./redact.ts"

const secretWord =
  /^(?:o?auth\d?|authorization|authentication|bearer|jwt|(?:api|auth|access|hf|private|refresh|secret|session)?(?:key|token)s?|secrets?|cookies?|passw(?:or)?d|passphrase|credentials?|signature|sig|code|pat)$/i

/**
 * Whether what has this name is a secret: a header, a field of a query or a body, an environment variable. A word of the name says so,
 * not a part of one: `x-api-key`, `hf_token` and `accessToken`, not `x-author`.
 */
export function isSecretName(name: string): boolean {
  return name
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .split(/[^A-Za-z0-9]+/)
    .some((word) => secretWord.test(word))
}

const known = new Set<string>()
let redact: Redact | null = null

/**
 * Remembers secrets that this process holds. From here on they are taken out of everything that is kept or shown, whichever
 * endpoint repeats them.
 */
export function rememberSecrets(secrets: readonly string[]): void {
  for (const secret of secrets) {
    if (secret === "" || known.has(secret)) continue
    known.add(secret)
    redact = null
  }
}

/** Takes every secret that this process holds out of a text: see {@link createRedact}. */
export const redactSecrets: Redact = Object.assign((text: string) => current()(text), {
  spans: (text: string) => current().spans(text),
})

function current(): Redact {
  redact ??= createRedact([...known])
  return redact
}

/** Values of environment variables that no other text would hold by chance. */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => (isSecretName(name) && value ? [value] : []))
}

/** Of {@link environmentSecrets}, what is a key and no address, path or word: it may be taken out of answers of providers that nobody gave it to. */
export function keysOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return environmentSecrets(environment).filter((value) => looksSecret(value) && !/[\s/:\\]/.test(value))
}

/**
 * Whether a text reads like a key: UUIDs, and 12 letters and digits in a row that change between the two again and again.
 * Good enough to keep a part of an address out of a report; never a reason to change an answer.
 *
 * @example looksRandom("a8f3c19b77e04d2f") // true; looksRandom("gpt-4o-mini-2024-07-18") // false
 */
export function looksRandom(text: string): boolean {
  if (/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i.test(text)) return true
  return (text.match(/[A-Za-z0-9]{12,}/g) ?? []).some(
    (run) => (run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length >= 3,
  )
}
