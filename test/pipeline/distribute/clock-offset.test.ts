import { expect, it } from "vitest"
import { measureClock } from "../../../src/pipeline/distribute/clock-offset.ts"

/** A machine whose clock is ahead of the store's; what is asked arrives after `there`, its answer after `back`. */
function machine(aheadMs: number, there: number, back: number) {
  let nowMs = 1_000
  const clock = { now: () => nowMs, wall: () => 5_000_000 + nowMs + aheadMs }
  const store = {
    wallMs() {
      nowMs += there
      const said = 5_000_000 + nowMs
      nowMs += back
      return said
    },
  }
  return { clock, store }
}

it("is the truth within half of the round trip, however the trip is divided", () => {
  for (const [there, back] of [
    [1, 1],
    [8, 0],
    [0, 8],
  ] as const)
    for (const aheadMs of [0, -250, 3_000]) {
      const { clock, store } = machine(aheadMs, there, back)
      const { offsetMs, errorMs } = measureClock(store, clock, null)
      expect(errorMs).toBe((there + back) / 2)
      expect(Math.abs(offsetMs - aheadMs)).toBeLessThanOrEqual(errorMs)
    }
})

it("keeps the measurement with the shorter trip, and believes it less with time", () => {
  const slow = machine(40, 9, 1)
  const quick = machine(40, 1, 1)
  const first = measureClock(quick.store, quick.clock, null)
  let kept = first
  for (let i = 0; i < 3; i++) kept = measureClock(slow.store, slow.clock, kept)
  expect(kept.offsetMs).toBe(first.offsetMs)
  for (let i = 0; i < 200; i++) kept = measureClock(slow.store, slow.clock, kept)
  expect(kept.errorMs).toBe(5)
})
