import { messageOf, UsageError } from "../../core/errors.ts"
import { requestInTime } from "../../platform/request-in-time.ts"
import { plainText } from "../../words/text.ts"
import type { CommandIo } from "../command.ts"
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
 * Tells a service which alarms began and ended since the last call.
 *
 * @returns the alarms that it knows of now: those of before where it could not be called, so that the next look tells it
 */
export async function reportChanges(
  before: readonly WatchAlarm[],
  alarms: readonly WatchAlarm[],
  webhook: URL | null,
  io: CommandIo,
): Promise<readonly WatchAlarm[]> {
  const without = (list: readonly WatchAlarm[], others: readonly WatchAlarm[]) =>
    list.filter(({ key }) => !others.some((watchAlarm) => watchAlarm.key === key))
  const news = { began: without(alarms, before), ended: without(before, alarms), at: new Date().toISOString() }
  if (!webhook || news.began.length + news.ended.length === 0) return alarms
  const failure = await callWebhook(webhook, news, io.signal)
  if (failure === null) return alarms
  io.err(`evalkit: the webhook could not be called: ${plainText(failure, 200)}\n`)
  return before
}

/**
 * Tells a service which alarms began and which ended, as JSON with a `text` that chat services show.
 *
 * @returns why the call failed; null when it did not
 */
export async function callWebhook(
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
