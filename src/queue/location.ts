import { decodedComponent } from "../core/decoded-component.ts"
import { UsageError } from "../core/errors.ts"

/** Where a queue is, and over which engine of BullMQ it goes. */
export interface QueueLocation {
  readonly engine: "redis" | "postgres"
  /** With what may be secret. */
  readonly url: string
  /** Without it, for messages. */
  readonly shown: string
}

/**
 * Reads the URL of a queue. A password that the URL does not have is EVALKIT_QUEUE_PASSWORD of the environment, which no list of
 * processes shows.
 *
 * @throws {UsageError} when it is neither one of Redis nor one of PostgreSQL
 */
export function parseQueueLocation(
  url: unknown,
  where = "--queue",
  environment: Readonly<Record<string, string | undefined>> = {},
): QueueLocation {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null
  const engine = parsed && engines[parsed.protocol]
  if (!parsed || !engine || parsed.hostname === "")
    throw new UsageError("a queue is named by a URL of Redis or PostgreSQL", {
      code: "queue_url",
      // What was given may hold a password, and is not repeated.
      where,
      hint: "for example redis://127.0.0.1:6379, rediss://user@host:6380 or postgres://user@host:5432/database",
    })
  // A URL's password is percent-encoded.
  if (parsed.password === "") parsed.password = encodeURIComponent(environment.EVALKIT_QUEUE_PASSWORD ?? "")
  const user = parsed.username === "" ? "" : `${parsed.username}@`
  return { engine, url: parsed.href, shown: `${parsed.protocol}//${user}${parsed.host}${parsed.pathname}` }
}

const engines: Readonly<Record<string, QueueLocation["engine"]>> = {
  "redis:": "redis",
  "rediss:": "redis",
  "postgres:": "postgres",
  "postgresql:": "postgres",
}

/** A message of the queue without its password, however it may have come into it. */
export function withoutPassword(text: string, { url }: Pick<QueueLocation, "url">): string {
  const { password } = new URL(url)
  if (password === "") return text
  return [password, decodedComponent(password)].reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
}
