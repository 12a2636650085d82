import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { logOf, workedExample } from "./logs.ts"

describe("the figures of one request", () => {
  it("gives 20 ms a token for the worked example, whose chunks hold ten tokens", () => {
    const figures = requestFigures(workedExample, 64)
    expect(figures.ttftMs).toBe(380)
    expect(figures.e2eMs).toBe(1460)
    expect(figures.tpotMs).toBe(20)
    expect(figures.outputTokensPerSecond).toBe(50)
    expect(figures.totalTokensPerSecond).toBeCloseTo(43.8356, 4)
    expect(figures.iclMs).toEqual([200, 200, 200, 200, 200, 80])
    expect(figures.itlMs).toEqual(Array.from({ length: 54 }, () => 20))
  })

  it.each([
    ["a chunk of ten", workedExample, 64, { tokens: 10, gapMs: 200 }],
    [
      "eight chunks in one read",
      logOf(Array.from({ length: 64 }, (_, i) => ({ atMs: 200 + 80 * Math.floor(i / 8) }))),
      64,
      { tokens: 8, gapMs: 80 },
    ],
    ["one by one", logOf(Array.from({ length: 9 }, (_, i) => ({ atMs: 200 + 10 * i }))), 9, { tokens: 1, gapMs: 10 }],
    ["all at once", logOf(Array.from({ length: 9 }, () => ({ atMs: 200 }))), 9, null],
  ])("tells how many tokens arrive together, and how often: %s", (_, log, tokens, expected) => {
    expect(requestFigures(log, tokens).arrivals()).toEqual(expected)
  })

  it("measures the first token from the request's send and from its schedule", () => {
    const log = logOf([{ atMs: 700 }, { atMs: 710 }], { scheduledMs: 100, sendMs: 500 })
    expect(requestFigures(log, 2)).toMatchObject({ queueWaitMs: 400, ttftMs: 200, ttftFromIntentMs: 600, e2eMs: 210 })
  })

  it("does not count a role-only or empty delta as the first token, nor usage and [DONE] as the last", () => {
    const log = logOf([
      { atMs: 3, kind: "role", tokens: 0 },
      { atMs: 5, tokens: 0 },
      { atMs: 200 },
      { atMs: 210 },
      { atMs: 220, tokens: 0 },
      { atMs: 260, kind: "usage" },
      { atMs: 270, kind: "done" },
    ])
    expect(requestFigures(log, 2)).toMatchObject({ ttftMs: 200, e2eMs: 210, tpotMs: 10 })
  })

  it("starts TTFT at the first text that is not reasoning, and names the first token of any kind beside it", () => {
    const log = logOf([{ atMs: 50, kind: "reasoning" }, { atMs: 60, kind: "reasoning" }, { atMs: 70 }])
    expect(requestFigures(log, 3, 2)).toMatchObject({ ttftMs: 70, ttftAnyMs: 50, tpotMs: 10 })
  })

  it("has no first token for a reader when nothing but reasoning arrived", () => {
    expect(requestFigures(logOf([{ atMs: 50, kind: "reasoning" }]), 1)).toMatchObject({ ttftMs: null, ttftAnyMs: 50 })
  })

  it("tells the longest stop inside an answer, and how fast it was late against early", () => {
    // 20 tokens at 10 ms, a stop of 300 ms, then 20 at 20 ms.
    const times = Array.from({ length: 41 }, (_, i) => ({ atMs: 100 + (i <= 20 ? 10 * i : 500 + 20 * (i - 21)) }))
    const { longestStopMs, lateSpeedRatio } = requestFigures(logOf(times), 41)
    expect(longestStopMs).toBe(300)
    // Twenty tokens in 200 ms; twenty in 300 + 19 · 20 ms.
    expect(lateSpeedRatio).toBeCloseTo(200 / 680, 9)
    expect(requestFigures(logOf([{ atMs: 100 }]), 1)).toMatchObject({ longestStopMs: null, lateSpeedRatio: null })
  })

  it("takes no pause between thinking and the answer for a stop inside of it", () => {
    const log = logOf([{ atMs: 20, kind: "reasoning" }, { atMs: 330 }, { atMs: 360 }, { atMs: 380 }])
    expect(requestFigures(log, 4, 1)).toMatchObject({ longestStopMs: 30, iclMs: [310, 30, 20] })
  })

  it("leaves billed reasoning that was never streamed out of the decode speed", () => {
    const log = logOf([{ atMs: 900 }, { atMs: 910 }, { atMs: 920 }])
    expect(requestFigures(log, 103, 100)).toMatchObject({ tpotMs: 10, outputTokens: 3 })
  })

  it("takes the counts that the stream states before any guess", () => {
    const log = logOf([{ atMs: 100 }, { atMs: 160 }])
    const stated = { ...log, events: log.events.map((event, i) => ({ ...event, tokens: i === 0 ? 1 : 6 })) }
    expect(requestFigures(stated, null)).toMatchObject({ tpotMs: 10, outputTokens: 7 })
  })

  it("counts one token per event when the server counted an end-of-sequence token on top", () => {
    const log = logOf([{ atMs: 100, tokens: 9 }, { atMs: 110 }, { atMs: 120 }])
    expect(requestFigures(log, 4).itlMs).toEqual([10, 10])
  })

  it("leaves undefined what the log cannot say", () => {
    expect(requestFigures(logOf([]), null)).toMatchObject({
      ttftMs: null,
      ttftFromIntentMs: null,
      e2eMs: null,
      tpotMs: null,
      outputTokensPerSecond: null,
      outputTokens: null,
    })
    expect(requestFigures(logOf([{ atMs: 100 }]), 5)).toMatchObject({ tpotMs: null, outputTokens: 5 })
    expect(requestFigures(logOf([{ atMs: 100 }, { atMs: 110 }]), null)).toMatchObject({ tpotMs: null, iclMs: [10] })
  })

  it("knows no decode speed of chunks that followed each other faster than any model writes", () => {
    const held = Array.from({ length: 40 }, (_, i) => ({ atMs: 800 + 0.02 * i }))
    expect(requestFigures(logOf(held), 40)).toMatchObject({ tpotMs: null, outputTokensPerSecond: null, itlMs: [] })
    const paced = Array.from({ length: 40 }, (_, i) => ({ atMs: 800 + 0.5 * i }))
    expect(requestFigures(logOf(paced), 40).outputTokensPerSecond).toBeCloseTo(2000, 6)
  })

  it("knows no decode speed of a stream that a proxy held back and sent in a burst", () => {
    const burst = Array.from({ length: 600 }, (_, i) => ({ atMs: 4000 + 5 * Math.floor(i / 200) }))
    const figures = requestFigures(logOf(burst), 600)
    expect(figures).toMatchObject({ ttftMs: 4000, e2eMs: 4010, tpotMs: null, outputTokensPerSecond: null, itlMs: [] })
    expect(figures.totalTokensPerSecond).toBeCloseTo(149.6, 1)
    expect(requestFigures(logOf(burst.slice(100, 300)), 200).outputTokensPerSecond).toBeNull()
  })

  it("takes the tokens of one read together: their arrival says nothing about one of them", () => {
    const log = logOf(Array.from({ length: 50 }, (_, i) => ({ atMs: 100 + 50 * Math.floor(i / 5) })))
    const figures = requestFigures(log, 50)
    expect(figures.tpotMs).toBeCloseTo(10, 10)
    expect(figures.itlMs).toEqual(Array.from({ length: 45 }, () => 10))
  })

  it("knows no decode speed when more tokens are billed than the text has bytes", () => {
    const log = logOf([{ atMs: 900 }, { atMs: 910 }, { atMs: 920 }])
    expect(requestFigures(log, 600)).toMatchObject({ tpotMs: null, outputTokensPerSecond: null, outputTokens: 600 })
    const stated = { ...log, events: log.events.map((event) => ({ ...event, tokens: 1 })) }
    expect(requestFigures(stated, 600)).toMatchObject({ tpotMs: 10, outputTokens: 3 })
  })

  it("draws the time to N tokens as a line, flat over the first chunk", () => {
    const figures = requestFigures(workedExample, 64)
    expect(figures.timeToNTokensMs(1)).toBe(380)
    expect(figures.timeToNTokensMs(10)).toBe(380)
    expect(figures.timeToNTokensMs(64)).toBe(1460)
    expect(figures.timeToNTokensMs(110)).toBe(2380)
    expect(requestFigures(logOf([{ atMs: 100 }]), 1).timeToNTokensMs(2)).toBeNull()
  })

  it("gives the last event a token, however few bytes it has", () => {
    const log = logOf([
      { atMs: 100, tokens: 40 },
      { atMs: 200, tokens: 40 },
      { atMs: 201, tokens: 1 },
    ])
    const { itlMs, e2eMs, ttftMs } = requestFigures(log, 20)
    expect(itlMs.reduce((total, gap) => total + gap, 0)).toBeCloseTo((e2eMs as number) - (ttftMs as number), 9)
  })

  it("lets the inter-token gaps add up to the time between the first and the last event", () => {
    const chunk = fc.record({
      // Chunks that come faster are a burst, which has no gaps.
      gap: fc.double({ min: 0.2, max: 1e3, noNaN: true }),
      tokens: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 2, maxLength: 30 }), fc.integer({ min: 60, max: 4000 }), (chunks, n) => {
        let atMs = 0
        const log = logOf(
          chunks.map(({ gap, tokens }) => {
            atMs += gap
            return { atMs, tokens }
          }),
        )
        // A token has a byte or more, so there are not more of them; the text has four bytes a token.
        const bytes = log.events.reduce((total, event) => total + event.bytes, 0)
        const figures = requestFigures(log, Math.max(chunks.length, Math.min(n, bytes)))
        const sum = figures.itlMs.reduce((total, gap) => total + gap, 0)
        expect(sum).toBeCloseTo((figures.e2eMs as number) - (figures.ttftMs as number), 6)
        expect((figures.tpotMs as number) * figures.itlMs.length).toBeCloseTo(sum, 6)
      }),
    )
  })
})
