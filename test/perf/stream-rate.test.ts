import type { RequestLog } from "evalkit/providers"
import { describe, expect, it } from "vitest"
import { streamRate } from "../../src/perf/stream-rate.ts"
import { logOf } from "./logs.ts"

/** So many equal events, one each 20 ms, the first after 200 ms. */
const even = (count: number) =>
  logOf(
    Array.from({ length: count }, (_, i) => ({ atMs: 200 + 20 * i })),
    { endMs: 200 + 20 * count },
  )

const rate = (log: RequestLog, units: number) => streamRate([{ log, units }])

describe("how fast a text was streamed", () => {
  it("is what came after the first read over the time that it took", () => {
    // 63 of 64 equal events in 63 × 20 ms
    expect(rate(even(64), 640)).toBeCloseTo(500, 9)
    expect(rate(even(64), 160), "a quarter of the units").toBeCloseTo(125, 9)
  })

  it("is that of several answers together, without what cannot say", () => {
    const texts = [
      { log: even(64), units: 640 },
      { log: even(64), units: 64 },
      { log: even(1), units: 1000 },
    ]
    expect(streamRate(texts)).toBeCloseTo(275, 9)
  })

  it("is unknown of one read, of nothing, and of a burst", () => {
    expect(rate(even(1), 10)).toBeNull()
    expect(rate(even(0), 10)).toBeNull()
    const burst = Array.from({ length: 60 }, (_, i) => ({ atMs: i < 30 ? 900 : 901 }))
    expect(rate(logOf(burst, { endMs: 902 }), 600)).toBeNull()
  })
})
