import type { StatedLimit, StatedLimits } from "../core/rate-limits.ts"

/**
 * The limits that a service states with an answer: `x-ratelimit-limit-requests` and its like (OpenAI, Groq, Together …), or
 * `anthropic-ratelimit-requests-limit` and its like, or Mistral's `x-ratelimit-limit-req-minute`. Null where it states none.
 *
 * @param wallMs wall time of the answer, against which resets that are dates are read
 * @example readRateLimits(new Map([["x-ratelimit-limit-requests", "500"]]), 0) // { requests: { limit: 500, … } }
 */
export function readRateLimits(headers: ReadonlyMap<string, string>, wallMs: number): StatedLimits | null {
  if (!statesLimits(headers)) return null
  const openai = (what: string) => (part: string) => headers.get(`x-ratelimit-${part}-${what}`)
  const anthropic = (what: string) => (part: string) => headers.get(`anthropic-ratelimit-${what}-${part}`)
  const requests =
    readLimit(openai("requests"), wallMs) ??
    readLimit(openai("req-minute"), wallMs) ??
    readLimit(anthropic("requests"), wallMs)
  const tokens =
    readLimit(openai("tokens"), wallMs) ??
    readLimit(openai("tokens-minute"), wallMs) ??
    readLimit(anthropic("tokens"), wallMs) ??
    readLimit(anthropic("input-tokens"), wallMs)
  if (!requests && !tokens) return null
  return { ...(requests && { requests }), ...(tokens && { tokens }) }
}

/**
 * When a limit of one window begins anew, in milliseconds from now: `x-ratelimit-reset` or `ratelimit-reset`, in seconds, as a date or as the moment
 * in Unix time (OpenRouter's in milliseconds). Null where a service states none, or a window of more than five minutes.
 */
export function readReset(headers: ReadonlyMap<string, string>, wallMs: number): number | null {
  const statedMs = resetOf(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset"), wallMs)
  if (statedMs === null) return null
  const isMoment = statedMs >= firstMomentMs
  const resetMs = isMoment
    ? Math.max(0, (statedMs < 1000 * firstMomentMs ? statedMs : statedMs / 1000) - wallMs)
    : statedMs
  return resetMs <= maxWindowMs ? resetMs : null
}

/** The year 2001: larger numbers are moments, not waits. */
const firstMomentMs = 1e12

/** A longer window may have something left before it begins anew. */
const maxWindowMs = 300_000

/** Most answers state none, and are not looked through for each name. */
function statesLimits(headers: ReadonlyMap<string, string>): boolean {
  for (const name of headers.keys()) if (name.includes("ratelimit")) return true
  return false
}

function readLimit(header: (part: string) => string | undefined, wallMs: number): StatedLimit | null {
  const limit = plainNumber(header("limit"))
  if (limit === null || limit <= 0) return null
  return { limit, remaining: plainNumber(header("remaining")), resetMs: resetOf(header("reset"), wallMs) }
}

/** The number that a header is, without a sign or a unit; null for everything else. */
export function plainNumber(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : null
}

/** `6m0s`, `120ms`, `1.5s`, seconds alone, or a date. */
function resetOf(value: string | undefined, wallMs: number): number | null {
  if (value === undefined) return null
  const seconds = plainNumber(value)
  if (seconds !== null) return seconds * 1000
  const parts = [...value.trim().matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)]
  if (parts.length > 0 && parts.map(([part]) => part).join("") === value.trim())
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit as keyof typeof unitMs] ?? 0), 0)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - wallMs)
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
