import type { RequestLog } from "../core/request-log.ts"
import { textEvents } from "./event-tokens.ts"
import { isBurst, readsOf } from "./reads.ts"

/** A text of so many units (characters, tokens of any tokenizer) and how it was streamed. */
export interface StreamedText {
  readonly log: RequestLog
  readonly units: number
}

/**
 * How fast texts were streamed, in units per second: those after each one's first read over the time from its first read to its last, as
 * {@link RequestFigures} does it with tokens. The units are spread over the events by their bytes. Null where no log can say:
 * nothing or one read, or a burst.
 *
 * @param texts one, or the answers of an episode: the time between them is not that of writing
 * @example streamRate([{ log, units: 640 }]) // 500: of 64 events of ten characters each, one each 20 ms
 */
export function streamRate(texts: readonly StreamedText[]): number | null {
  let [later, laterMs] = [0, 0]
  for (const { log, units } of texts) {
    const events = textEvents(log)
    const first = events[0]
    const last = events.at(-1)
    if (!first || !last) continue
    const reads = readsOf(
      events,
      events.map(({ bytes }) => bytes),
    )
    const streamMs = last.atMs - first.atMs
    if (reads.length < 2 || streamMs <= 0 || isBurst(reads, last.atMs - log.sendMs)) continue
    const bytes = reads.reduce((sum, read) => sum + read.tokens, 0)
    later += units * (1 - (reads[0]?.tokens ?? 0) / bytes)
    laterMs += streamMs
  }
  return later > 0 ? (later * 1000) / laterMs : null
}
