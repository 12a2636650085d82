import { hrtime } from "node:process"
import type { Clock } from "../core/clock.ts"

/** Milliseconds of the system's monotonic clock, which all threads and processes of the machine share. */
export function monotonicMs(): number {
  return Number(hrtime.bigint()) / 1e6
}

/**
 * What added to `clock.now()` gives {@link monotonicMs}: it carries a stamp from one thread to another, whose
 * `performance.now()` counts from its own start. Of several readings the one that took least, which is off by less than a
 * microsecond.
 */
export function monotonicOffset(clock: Pick<Clock, "now">): number {
  let best = { width: Number.POSITIVE_INFINITY, offset: 0 }
  for (let reading = 0; reading < readings; reading++) {
    const before = monotonicMs()
    const now = clock.now()
    const after = monotonicMs()
    if (after - before < best.width) best = { width: after - before, offset: (before + after) / 2 - now }
  }
  return best.offset
}

const readings = 32
