import type { Clock } from "../../core/clock.ts"
import type { RunStore } from "../../core/run/run-store.ts"

/** How far a machine's clock is ahead of another, in milliseconds; `errorMs` is what the measurement may be wrong by. */
export interface ClockOffset {
  readonly offsetMs: number
  readonly errorMs: number
}

/**
 * Measures how far this machine's clock is ahead of the store's: the store said its time at some moment of the round trip, so half of
 * the round trip is the error. Of the last measurements the one with the shortest round trip counts.
 *
 * @param before the measurement so far; null where there is none
 */
export function measureClock(
  store: Pick<RunStore, "wallMs">,
  clock: Pick<Clock, "wall" | "now">,
  before: ClockOffset | null,
): ClockOffset {
  const startedMs = clock.now()
  const wallMs = clock.wall()
  const storeMs = store.wallMs()
  const errorMs = (clock.now() - startedMs) / 2
  const measured = { offsetMs: wallMs + errorMs - storeMs, errorMs }
  if (!before) return measured
  // Clocks drift: an old measurement is worth less with each new one.
  const aged = { ...before, errorMs: before.errorMs * (1 + drift) }
  return aged.errorMs < measured.errorMs ? aged : measured
}

/** How much less a measurement is believed after another one. */
const drift = 0.02
