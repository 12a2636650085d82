import { decodedComponent } from "../core/decoded-component.ts"
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

const registry = new Set<string>()
let redact: Redact | null = null

/**
 * Remembers secrets that this process holds, of those that are written as one: a word may stand in many answers. From here on they are taken out of everything that is kept or shown, whichever
 * endpoint repeats them.
 */
export function rememberSecrets(secrets: readonly string[]): void {
  for (const secret of secrets) {
    if (registry.has(secret) || !looksSecret(secret)) continue
    registry.add(secret)
    redact = null
  }
}

/** Takes every secret that this process holds, keys of its environment too, out of a text: see {@link createRedact}. */
export const redactSecrets: Redact = Object.assign((text: string) => current()(text), {
  spans: (text: string) => current().spans(text),
})

function current(): Redact {
  redact ??= createRedact([...keysOf(process.env), ...registry])
  return redact
}

/** Values of environment variables that no other text would hold by chance. */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => (isSecretName(name) && value ? [value] : []))
}

/**
 * What of an environment is a key and no address, path or word: it may be taken out of answers of providers that nobody gave it to. Of
 * a value of several lines or members (a PEM, a service's account) each piece that reads like a key; of any address its password.
 */
export function keysOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = environmentSecrets(environment).flatMap((value) => {
    const pieces = value.split(/(?:[\s"'{},]|\\n)+/).filter(Boolean)
    if (pieces.length > 1) return pieces.filter((piece) => piece.length >= minPieceLength && looksRandom(piece))
    return looksSecret(value) && (!/[/:\\]/.test(value) || isMixed(value)) ? [value] : []
  })
  return [...named, ...Object.values(environment).flatMap(passwordOf)]
}

const minPieceLength = 16

/** Base64 with its slashes, which no path looks like: letters of both cases and digits that change again and again. */
function isMixed(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && looksRandom(value.replace(/[/+=:]/g, ""))
}

/** The password in an address, as it is written and decoded. */
export function passwordOf(address: string | undefined): readonly string[] {
  const written = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:([^/?#\s@]+)@/i.exec(address ?? "")?.[1]
  return written === undefined ? [] : [written, decodedComponent(written)].filter(looksSecret)
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
