import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readDateClock } from "../../../src/perf/load/date-clock.ts"

/** A server whose wall clock is ahead by `offsetMs`, and a road to it that takes `tripMs`; time passes only in it and in sleep. */
function world(offsetMs: number, tripMs: number, header: (wallMs: number, asked: number) => number | null = floor) {
  let nowMs = 1234.5
  let asked = 0
  return {
    asked: () => asked,
    options: {
      clock: {
        now: () => nowMs,
        wall: () => nowMs,
        async sleep(ms: number) {
          nowMs += Math.max(0, ms)
        },
      },
      signal: new AbortController().signal,
      untilMs: Number.POSITIVE_INFINITY,
      async date() {
        nowMs += tripMs * 0.7
        const date = header(nowMs + offsetMs, asked++)
        nowMs += tripMs * 0.3
        return date
      },
    },
  }
}

const floor = (wallMs: number) => Math.floor(wallMs / 1000) * 1000

describe("a server's clock, read from its Date header", () => {
  it("is found to within a round trip, though the header counts whole seconds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: -1e9, max: 1e12, noNaN: true }),
        fc.double({ min: 0.2, max: 80, noNaN: true }),
        async (offsetMs, tripMs) => {
          const { options, asked } = world(offsetMs, tripMs)
          const time = await readDateClock(options)
          if (!("offsetMs" in time)) throw new Error(time.reason)
          expect(Math.abs(time.offsetMs - offsetMs)).toBeLessThanOrEqual(time.errorMs + 1e-3)
          expect(time.errorMs).toBeLessThanOrEqual(tripMs + 1)
          expect(asked()).toBeLessThanOrEqual(14)
        },
      ),
      { numRuns: 200 },
    )
  })

  it("has a larger error where there is less time to read it", async () => {
    const { options, asked } = world(250, 2)
    const time = await readDateClock({ ...options, untilMs: 0 })
    expect(asked()).toBe(2)
    expect(time).toMatchObject({ errorMs: expect.closeTo(500, -1) })
  })

  it("takes a server that states its time a little early or late into the error", async () => {
    const { options } = world(250, 2, (wallMs, asked) => floor(wallMs - 8 * asked))
    const time = await readDateClock(options)
    if (!("offsetMs" in time)) throw new Error(time.reason)
    expect(Math.abs(time.offsetMs - 250)).toBeLessThan(120)
  })

  it("is unknown where there is no header, no answer, or a cache that answers", async () => {
    const none = world(0, 5, () => null)
    expect(await readDateClock(none.options)).toEqual({ reason: "it did not answer with its time" })
    const dead = world(0, 5)
    const failing = { ...dead.options, date: async () => Promise.reject(new Error("refused")) }
    expect(await readDateClock(failing)).toEqual({ reason: "it did not answer with its time" })
    const cached = world(0, 5, () => 1000)
    expect(await readDateClock(cached.options)).toEqual({
      reason: expect.stringContaining("contradict each other"),
    })
  })
})
