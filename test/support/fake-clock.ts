import type { Clock } from "../../src/core/clock.ts"

/** A clock that jumps: `sleep` returns at once and moves the time. */
export function createFakeClock(): Clock & { advance(ms: number): void; readonly slept: number[] } {
  let time = 1000
  const slept: number[] = []
  return {
    slept,
    now: () => time,
    wall: () => 1_700_000_000_000 + time,
    advance(ms) {
      time += ms
    },
    async sleep(ms, signal) {
      if (signal?.aborted) throw signal.reason
      slept.push(ms)
      time += ms
    },
  }
}
