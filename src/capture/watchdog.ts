import type { Clock } from "../core/clock.ts"
import type { Timeouts } from "../core/provider.ts"
import type { Interruption } from "./exchange.ts"
import type { Recorder } from "./recorder.ts"
import { silenceMs } from "./stream/stream-end.ts"

/** Longest delay that `setTimeout` can hold. */
export const longestDelayMs = 2 ** 31 - 1

/** A request whose limits are watched, stamps on one clock. */
export interface Watched {
  /** When it was handed over. */
  readonly startedMs: number
  readonly sent: boolean
  readonly sendMs: number
  /** When the last bytes came. */
  readonly lastMs: number | undefined
  /** Whether some text of the answer was seen. */
  textSeen: boolean
  /** Whether some of the answer's text has arrived. */
  hasText(): boolean
  /** When the last bytes had come as it was asked whether it is over. */
  askedMs?: number | undefined
  /** Whether all of the answer has arrived, although its body has not ended. */
  isOver(): boolean
}

/**
 * What ran out, or milliseconds until something could: a phase that begins now has its whole limit before it.
 *
 * Connect: until the request is sent. First token: until an event with text has arrived; asking that means parsing, so it
 * is asked only when a deadline comes due. Gap: between two arrivals afterwards (any byte is a sign of life). Total: from
 * the moment the request was handed over.
 *
 * @param now less the time for which this process stood still: what had arrived meanwhile is read after its timers have run
 */
export function limitsLeft(watched: Watched, timeouts: Timeouts, now: number): number | Interruption | "over" {
  const silence = silenceLeft(watched, now)
  if (silence <= 0) return "over"
  const left = timeLeft(watched, timeouts, now)
  return typeof left === "number" ? Math.min(left, silence) : left
}

/** Milliseconds until a silent stream is asked whether it is over; 0 where it is. Asking means parsing: once for each silence. */
function silenceLeft(watched: Watched, now: number): number {
  const { lastMs } = watched
  if (lastMs === undefined) return silenceMs
  if (watched.askedMs === lastMs) return Number.POSITIVE_INFINITY
  if (now < lastMs + silenceMs) return lastMs + silenceMs - now
  watched.askedMs = lastMs
  return watched.isOver() ? 0 : silenceMs
}

function timeLeft(watched: Watched, timeouts: Timeouts, now: number): number | Interruption {
  const totalLeft = watched.startedMs + timeouts.totalMs - now
  if (totalLeft <= 0) return timeout("timeout_total", `not finished after ${timeouts.totalMs} ms`)
  if (!watched.sent) {
    const left = watched.startedMs + timeouts.connectMs - now
    if (left <= 0) return timeout("timeout_connect", `no connection after ${timeouts.connectMs} ms`)
    return Math.min(left, timeouts.firstTokenMs, timeouts.gapMs, totalLeft)
  }
  const { lastMs } = watched
  const gapLeft = lastMs === undefined ? timeouts.gapMs : lastMs + timeouts.gapMs - now
  const firstLeft = watched.sendMs + timeouts.firstTokenMs - now
  if (gapLeft <= 0 || firstLeft <= 0) watched.textSeen ||= watched.hasText()
  if (watched.textSeen) {
    if (gapLeft <= 0) return timeout("timeout_gap", `nothing more for ${timeouts.gapMs} ms inside the answer`)
    return Math.min(gapLeft, totalLeft)
  }
  if (firstLeft <= 0) return timeout("timeout_first_token", `no token after ${timeouts.firstTokenMs} ms`)
  return Math.min(gapLeft > 0 ? gapLeft : timeouts.gapMs, firstLeft, totalLeft)
}

/**
 * Interrupts a recording that takes too long. One timer that re-arms itself: the data callback pays nothing for it.
 *
 * @param stalledMs for how long the event loop stood still since the request was handed over
 */
export function watch(
  recorder: Recorder,
  timeouts: Timeouts,
  clock: Clock,
  { hasText, isOver }: Pick<Watched, "hasText" | "isOver">,
  stalledMs: () => number = () => 0,
): void {
  const stalledBeforeMs = stalledMs()
  const watched: Watched = {
    startedMs: clock.now(),
    textSeen: false,
    hasText,
    isOver,
    get sent() {
      return recorder.sent
    },
    get sendMs() {
      return recorder.sendMs
    },
    get lastMs() {
      return recorder.stampsMs.at(-1)
    },
  }
  const arm = (): void => {
    if (recorder.settled) return
    const left = limitsLeft(watched, timeouts, clock.now() - (stalledMs() - stalledBeforeMs))
    if (left === "over") recorder.finish()
    else if (typeof left === "number") timer = setTimeout(arm, Math.min(Math.max(left, 1), longestDelayMs))
    else recorder.interrupt(left)
  }

  let timer: NodeJS.Timeout | undefined
  arm()
  void recorder.finished.then(() => clearTimeout(timer))
}

function timeout(outcome: Interruption["outcome"], message: string): Interruption {
  return { outcome, message }
}
