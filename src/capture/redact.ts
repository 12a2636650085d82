/** Takes what is secret out of a text. */
export type Redact = (text: string) => string

/** Keys as the common providers make them, and whatever follows `Bearer`. */
const looksSecret =
  /\b(?:sk|gsk|pk|rk|fw|hf|xai|nvapi|csk)[-_][A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[A-Za-z0-9._~+/-]{8,}=*/g

/**
 * A function that replaces the given secrets, wherever they stand, and what looks like a key in any case.
 * Secrets shorter than 4 characters are left alone: they would turn ordinary text into `[redacted]`.
 *
 * @example createRedact(["s3cret"])("refused s3cret") // "refused [redacted]"
 */
export function createRedact(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= 4)
  return (text) => {
    let result = text
    for (const secret of known) if (result.includes(secret)) result = result.replaceAll(secret, "[redacted]")
    return result.replace(looksSecret, "[redacted]")
  }
}

/** Cuts a message for people to a length that fits a record: white space folded, at most `limit` characters. */
export function bound(text: string, limit = 500): string {
  const folded = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim()
  return folded.length <= limit ? folded : `${folded.slice(0, limit - 1)}…`
}
