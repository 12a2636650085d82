import type { RequestLog } from "../core/request-log.ts"
import { textEvents } from "./event-tokens.ts"
import { isBurst, readsOf } from "./reads.ts"

/**
 * How fast a text of so many units (characters, tokens of any tokenizer) was streamed, in units per second: those after the first
 * read over the time from the first read to the last, as {@link RequestFigures} does it with tokens. The units are spread over the
 * events by their bytes. Null where the log cannot say: nothing or one read, or a burst.
 *
 * @param units of the whole text that was streamed
 * @example streamRate(log, 640) // 500: of 64 events of ten characters each, one each 20 ms
 */
export function streamRate(log: RequestLog, units: number): number | null {
  const events = textEvents(log)
  const first = events[0]
  const last = events.at(-1)
  if (!first || !last) return null
  const reads = readsOf(
    events,
    events.map(({ bytes }) => bytes),
  )
  const streamMs = last.atMs - first.atMs
  if (reads.length < 2 || streamMs <= 0 || isBurst(reads, last.atMs - log.sendMs)) return null
  const bytes = reads.reduce((sum, read) => sum + read.tokens, 0)
  const later = 1 - (reads[0]?.tokens ?? 0) / bytes
  return later > 0 ? (units * later * 1000) / streamMs : null
}
