import { decodedComponent } from "../../core/decoded-component.ts"
import { UsageError } from "../../core/errors.ts"

/** Reads the URL of a store. @throws {UsageError} when it is none of PostgreSQL */
export function parseLocation(url: unknown, where: string): URL {
  const parsed = typeof url === "string" && /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : null
  if (parsed && parsed.pathname.length > 1) return parsed
  throw new UsageError("a store in PostgreSQL is named by a URL with its database", {
    code: "store_url",
    // What was given may hold a password, and is not repeated.
    where,
    hint: "for example postgres://user@host:5432/database, the password in PGPASSWORD or ~/.pgpass",
  })
}

/** The URL without what may be secret, for messages: host, port, database and user. */
export function redactedLocation(url: URL): string {
  const user = url.username === "" ? "" : `${url.username}@`
  return `postgres://${user}${url.host}${url.pathname}`
}

/** A text without the URL's password, however it may have come into it. */
export function withoutSecrets(text: string, url: URL): string {
  const secrets = [url.password, decodedComponent(url.password), ...[...url.searchParams.values()].filter(isLong)]
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "***")), text)
}

function isLong(text: string): boolean {
  return text.length >= 12
}
