import type { Clock } from "../core/clock.ts"
import type { Timeouts } from "../core/provider.ts"
import type { Interruption } from "./exchange.ts"
import type { Recorder } from "./recorder.ts"

/** Longest delay that `setTimeout` can hold. */
const longestDelayMs = 2 ** 31 - 1

/**
 * Interrupts a recording that takes too long. One timer that re-arms itself: the data callback pays nothing for it.
 *
 * Connect: until the request is sent. First token: until an event with text has arrived; asking that means parsing, so it
 * is asked only when a deadline comes due. Gap: between two arrivals afterwards (any byte is a sign of life). Total: from
 * the moment the request was handed over.
 *
 * What had arrived while this process stood still is read after its timers have run: time that it stood still does not count.
 *
 * @param stalledMs for how long the event loop stood still since the request was handed over
 */
export function watch(
  recorder: Recorder,
  timeouts: Timeouts,
  clock: Clock,
  hasText: () => boolean,
  stalledMs: () => number = () => 0,
): void {
  const stalledBeforeMs = stalledMs()
  const startedMs = clock.now()
  let textSeen = false

  /** What ran out, or milliseconds until something could: a phase that begins now has its whole limit before it. */
  const check = (): number | Interruption => {
    const now = clock.now() - (stalledMs() - stalledBeforeMs)
    const totalLeft = startedMs + timeouts.totalMs - now
    if (totalLeft <= 0) return timeout("timeout_total", `not finished after ${timeouts.totalMs} ms`)
    if (!recorder.sent) {
      const left = startedMs + timeouts.connectMs - now
      if (left <= 0) return timeout("timeout_connect", `no connection after ${timeouts.connectMs} ms`)
      return Math.min(left, timeouts.firstTokenMs, timeouts.gapMs, totalLeft)
    }
    const lastMs = recorder.stampsMs.at(-1)
    const gapLeft = lastMs === undefined ? timeouts.gapMs : lastMs + timeouts.gapMs - now
    const firstLeft = recorder.sendMs + timeouts.firstTokenMs - now
    if (gapLeft <= 0 || firstLeft <= 0) textSeen ||= hasText()
    if (textSeen) {
      if (gapLeft <= 0) return timeout("timeout_gap", `nothing more for ${timeouts.gapMs} ms inside the answer`)
      return Math.min(gapLeft, totalLeft)
    }
    if (firstLeft <= 0) return timeout("timeout_first_token", `no token after ${timeouts.firstTokenMs} ms`)
    return Math.min(gapLeft > 0 ? gapLeft : timeouts.gapMs, firstLeft, totalLeft)
  }

  const arm = (): void => {
    if (recorder.settled) return
    const left = check()
    if (typeof left === "number") timer = setTimeout(arm, Math.min(Math.max(left, 1), longestDelayMs))
    else recorder.interrupt(left)
  }

  let timer: NodeJS.Timeout | undefined
  arm()
  void recorder.finished.then(() => clearTimeout(timer))
}

function timeout(outcome: Interruption["outcome"], message: string): Interruption {
  return { outcome, message }
}
