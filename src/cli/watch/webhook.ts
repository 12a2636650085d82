import { messageOf, UsageError } from "../../core/errors.ts"
import { requestInTime } from "../../platform/request-in-time.ts"
import type { WatchAlarm } from "./poll.ts"

/** Long enough for a slow service, short enough that no round is late. */
const patienceMs = 10_000

/** The address that alarms are sent to; null: none. @throws UsageError for what is no web address */
export function webhookOf(option: unknown, environment: Readonly<Record<string, string | undefined>>): URL | null {
  const text = option === undefined ? environment.EVALKIT_WATCH_WEBHOOK : String(option)
  if (text === undefined || text === "") return null
  const url = URL.parse(text)
  // Addresses of webhooks are secrets: none is printed.
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError("the webhook is no web address", { hint: "https://…" })
  return url
}

/**
 * Tells a service which alarms began and which ended, as JSON with a `text` that chat services show.
 *
 * @returns why it was not told; null when it was
 */
export async function tellWebhook(
  url: URL,
  news: { readonly began: readonly WatchAlarm[]; readonly ended: readonly WatchAlarm[]; readonly at: string },
  signal: AbortSignal,
): Promise<string | null> {
  const text = [
    ...news.began.map(({ variant, sentence }) => `evalkit: ${variant}: ${sentence}`),
    ...news.ended.map(({ variant, kind }) => `evalkit: ${variant}: no longer worse: ${kind}`),
  ].join("\n")
  try {
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text, ...news }),
      redirect: "error",
      signal,
      timeoutMs: patienceMs,
    } as const
    return await requestInTime(url, request, ({ ok, status }) => (ok ? null : `HTTP ${status}`))
  } catch (error) {
    return messageOf(error)
  }
}
