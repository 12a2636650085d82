import type { Clock } from "../../core/clock.ts"
import { dateClockReasons } from "../../words/perf/speed.ts"

/** A server's time: `clock.now() + offsetMs` is its wall clock, in milliseconds since 1970, to within `errorMs`. */
export interface ServerTime {
  readonly offsetMs: number
  readonly errorMs: number
}

/** What a reading needs. */
export interface DateClockOptions {
  /** The server's `Date` header, in milliseconds since 1970: whole seconds, cut off. Null where it sends none; may throw. */
  date(): Promise<number | null>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** `clock.now()` after which no further reading is begun; the first two are made anyway. */
  readonly untilMs: number
}

/** Halvings that take a second down to a tenth of a millisecond, which no network allows. */
const maxReadings = 14
/** Contradictions up to this are the server's own haste or delay, and go into the error. */
const largestContradictionMs = 100

/**
 * Reads a server's clock from its `Date` header, though that counts whole seconds: each reading is sent so that it arrives when the
 * second is thought to change, and its answer halves what is possible (the "HTTP time protocol" of htpdate). The error is half of what is
 * left, about half a round trip; where a server states its time late, it is late by the same for all who ask it.
 *
 * @returns why it cannot be read, where it cannot
 */
export async function readDateClock(options: DateClockOptions): Promise<ServerTime | { readonly reason: string }> {
  const { clock, signal, untilMs } = options
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  let tripMs = 0
  for (let reading = 0; reading < maxReadings && !signal.aborted; reading++) {
    // The first reading may open the connection: how long a trip takes is known after the second.
    if (reading > 1) {
      const dueMs = nextSecond((low + high) / 2, clock.now() + tripMs) - tripMs / 2
      if (dueMs > untilMs) break
      await clock.sleep(dueMs - clock.now(), signal).catch(() => {})
    }
    const sentMs = clock.now()
    const date = await options.date().catch(() => null)
    const gotMs = clock.now()
    if (date === null) return { reason: dateClockReasons.silent }
    tripMs = gotMs - sentMs
    const [from, to] = [Math.max(low, date - gotMs), Math.min(high, date + 1000 - sentMs)]
    if (from > to + largestContradictionMs) return { reason: dateClockReasons.contradictory }
    if (from > to) return timeBetween(Math.min(low, to), Math.max(high, from))
    low = from
    high = to
    if (high - low <= Math.max(1, tripMs)) break
  }
  if (!Number.isFinite(low)) return { reason: dateClockReasons.notAsked }
  return timeBetween(low, high)
}

function timeBetween(low: number, high: number): ServerTime {
  return { offsetMs: (low + high) / 2, errorMs: (high - low) / 2 }
}

/** The first `clock.now()` from `fromMs` on at which a clock that is ahead by `offsetMs` shows a full second. */
function nextSecond(offsetMs: number, fromMs: number): number {
  return Math.ceil((fromMs + offsetMs) / 1000) * 1000 - offsetMs
}
