import { createRedact, type Redact } from "./redact.ts"

/** Names of headers, of query fields and of environment variables whose value is a secret. */
export const secretName = /auth|key|token|secret|cookie|passw|credential|signature|^sig$|^code$|_pat$/i

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
  return Object.entries(environment).flatMap(([name, value]) => (secretName.test(name) && value ? [value] : []))
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
