import { asList, asMembers, asText } from "./json-access.ts"

/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date
 * (RFC 9110, section 10.2.3). Null when it does not ask, or asks in words that cannot be parsed.
 *
 * @example readRetryAfter(new Map([["retry-after", "1.5"]]), Date.now()) // 1500
 */
export function readRetryAfter(headers: ReadonlyMap<string, string>, wallMs: number): number | null {
  const milliseconds = readDuration(headers.get("retry-after-ms"))
  if (milliseconds !== null) return milliseconds
  const value = headers.get("retry-after")
  const seconds = readDuration(value)
  if (seconds !== null) return seconds * 1000
  const date = /^[A-Za-z]{3}/.test(value ?? "") ? Date.parse(value as string) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - wallMs)
}

/**
 * The same of the details of a Google error, which has no such header: `google.rpc.RetryInfo` with a delay in seconds.
 *
 * @example readRetryInfo([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }]) // 34500
 */
export function readRetryInfo(details: unknown): number | null {
  for (const item of asList(details)) {
    const detail = asMembers(item)
    if (!asText(detail?.["@type"]).endsWith("google.rpc.RetryInfo")) continue
    const seconds = readDuration(/^(.+)s$/.exec(asText(detail?.retryDelay))?.[1])
    if (seconds !== null) return seconds * 1000
  }
  return null
}

function readDuration(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}
