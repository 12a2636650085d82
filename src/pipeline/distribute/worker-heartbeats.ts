import type { Clock } from "../../core/clock.ts"
import { aliveSeconds, mayBeSilentMs } from "./timing.ts"

/**
 * How long another worker may be silent before it counts as gone. Where this process itself could not reach the store for a while,
 * nobody could be heard: the others have as long again to come back, with the answers that they hold.
 */
export interface WorkerHeartbeats {
  /** The store answered. */
  heard(): void
  /** Seconds of silence after which a worker counts as gone now. */
  aliveSeconds(): number
}

export function createWorkerHeartbeats(clock: Pick<Clock, "now">): WorkerHeartbeats {
  let lastMs = clock.now()
  let away = { untilMs: Number.NEGATIVE_INFINITY, seconds: 0 }
  return {
    heard() {
      const now = clock.now()
      const silentMs = now - lastMs
      lastMs = now
      if (silentMs > mayBeSilentMs) away = { untilMs: now + aliveSeconds * 1000, seconds: silentMs / 1000 }
    },
    aliveSeconds: () => aliveSeconds + (clock.now() < away.untilMs ? aliveSeconds + away.seconds : 0),
  }
}
