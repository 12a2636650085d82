import { asMembers, asText, type Members, membersOf } from "../core/json-members.ts"
import { plainNumber } from "./rate-limits.ts"

/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP date
 * (RFC 9110, section 10.2.3), also with a unit (`1m30s`), and where two proxies set it: then the longer one counts. Null when it does not
 * ask, or asks in words that cannot be parsed.
 *
 * @example readRetryAfter(new Map([["retry-after", "1.5"]]), Date.now()) // 1500
 */
export function readRetryAfter(headers: ReadonlyMap<string, string>, wallMs: number): number | null {
  const milliseconds = plainNumber(headers.get("retry-after-ms"))
  if (milliseconds !== null) return milliseconds
  const value = headers.get("retry-after")
  const waits = (value ?? "").split(",").map(readWait)
  if (waits.every((wait) => wait !== null)) return Math.max(...waits)
  const date = /^[A-Za-z]{3}/.test(value ?? "") ? Date.parse(value as string) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - wallMs)
}

/** Under which bodies state seconds: OpenAI-compatible gateways, Hugging Face while it loads; milliseconds where the name ends so. */
const waitName = /^(?:retry[-_]?after(?:_?(?:ms|milliseconds|s|sec|seconds))?|retry_?delay|estimated_time)$/i

/**
 * The same of an error in a body: in a member of its own, in the details of a Google error (`google.rpc.RetryInfo`) or in what OpenRouter hands on
 * as `metadata`, else in its words.
 *
 * @param sources the error, and what stands beside it
 * @example readBodyWait([{ details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }] }], "") // 34500
 */
export function readBodyWait(sources: readonly (Members | null)[], message: string): number | null {
  for (const source of sources) {
    const metadata = asMembers(source?.metadata)
    const details = membersOf(source?.details).filter((member) =>
      asText(member["@type"]).endsWith("google.rpc.RetryInfo"),
    )
    for (const members of [source, metadata, asMembers(metadata?.headers), ...details])
      for (const [name, value] of Object.entries(members ?? {})) {
        const waitMs = waitName.test(name) && !asMembers(value) ? readWait(String(value)) : null
        if (waitMs !== null) return /m(?:illi)?s(?:econds)?$/.test(name.toLowerCase()) ? waitMs / 1000 : waitMs
      }
  }
  return readAskedWait(message)
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Seconds, or amounts with their units. */
function readWait(text: string): number | null {
  const seconds = plainNumber(text)
  if (seconds !== null) return seconds * 1000
  const parts = [...text.trim().matchAll(/(\d{1,12}(?:\.\d{1,6})?) ?(ms|s|m|h)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text.trim()) return null
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (unitMs[unit] ?? 0), 0)
}

/** Words that ask to wait: OpenAI, Groq, Azure, Hugging Face. */
const askedWait =
  /(?:try|retry) again (?:in|after)|retry(?: your request)? (?:in|after)|\bwait(?: for)?|available (?:again )?in|\bresets? (?:in|after)/i

/** How long, behind them: `1m5.17s`, `20 seconds`, `2 minutes and 5 seconds`. */
const amountAndUnit = /:?\s?(\d{1,9}(?:\.\d{1,6})?)\s?([a-z]{1,12})[,.]?(?: and\b)?/iy

/**
 * The same of a message, where nothing else says it.
 *
 * @example readAskedWait("Rate limit reached. Please try again in 1m5.17s.") // 65170
 */
export function readAskedWait(message: string): number | null {
  const words = askedWait.exec(message.slice(0, 4000))
  if (words === null) return null
  const text = message.slice(words.index + words[0].length, words.index + words[0].length + 80)
  let waitMs: number | null = null
  amountAndUnit.lastIndex = 0
  for (let match = amountAndUnit.exec(text); match; match = amountAndUnit.exec(text)) {
    const unit = unitOf(match[2] ?? "")
    if (unit === null) break
    waitMs = (waitMs ?? 0) + Number(match[1]) * unit
  }
  return waitMs
}

function unitOf(word: string): number | null {
  const name = word.toLowerCase()
  if (/^(?:ms|msecs?|milliseconds?)$/.test(name)) return 1
  return /^(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)$/.test(name) ? (unitMs[name[0] as string] ?? null) : null
}
