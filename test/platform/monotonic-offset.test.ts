import { describe, expect, it } from "vitest"
import { systemClock } from "../../src/core/clock.ts"
import { monotonicMs, monotonicOffset } from "../../src/platform/monotonic-offset.ts"

describe("the offset of a clock from the system's monotonic one", () => {
  it("turns the clock's time into the system's", () => {
    const offset = monotonicOffset(systemClock)
    const before = monotonicMs()
    const now = systemClock.now() + offset
    const after = monotonicMs()
    expect(now).toBeGreaterThan(before - 0.05)
    expect(now).toBeLessThan(after + 0.05)
  })

  it("differs by as much as two clocks differ", () => {
    const late = { now: () => performance.now() - 5000 }
    expect(monotonicOffset(late) - monotonicOffset(systemClock)).toBeCloseTo(5000, 1)
  })
})
