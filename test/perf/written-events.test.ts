import { describe, expect, it } from "vitest"
import type { RequestLog, StreamEvent } from "../../src/core/request-log.ts"
import { requestFigures } from "../../src/perf/request-figures.ts"

const event = (kind: StreamEvent["kind"], atMs: number, bytes: number): StreamEvent => ({
  kind,
  atMs,
  bytes,
  tokens: null,
})

function logOf(events: readonly StreamEvent[]): RequestLog {
  return { scheduledMs: 0, sendMs: 0, connectMs: null, headersMs: 5, events, endMs: (events.at(-1)?.atMs ?? 0) + 1 }
}

const answer = (fromMs: number) => Array.from({ length: 20 }, (_, i) => event("content", fromMs + 20 * i, 5))

describe("the decode speed", () => {
  it("is that of the answer where a summary of its thinking was streamed, which stands for far more tokens", () => {
    const summary = Array.from({ length: 12 }, (_, i) => event("reasoning", 100 + 100 * i, 87))
    const figures = requestFigures(logOf([...summary, ...answer(1400)]), 1020, 1000)
    expect(figures).toMatchObject({ ttftAnyMs: 100, ttftMs: 1400, outputTokens: 20 })
    expect(figures.tpotMs).toBeCloseTo(20, 9)
    expect(figures.itlMs).toHaveLength(19)
    expect(figures.timeToNTokensMs(20)).toBeCloseTo(1780, 6)
  })

  it("is that of all that was streamed where the thinking came whole", () => {
    const thinking = Array.from({ length: 10 }, (_, i) => event("reasoning", 100 + 20 * i, 4))
    const figures = requestFigures(logOf([...thinking, ...answer(300)]), 30, 10)
    expect(figures.tpotMs).toBeCloseTo(20, 9)
    expect(figures.outputTokens).toBe(30)
  })

  it("is that of the model where a gateway hands the stream on in clumps, each in several reads", () => {
    // 65 chunks of 25 ms each in 1,625 ms: four reads of 16 or 17, one millisecond apart.
    const events = Array.from({ length: 4 }, (_, clump) =>
      Array.from({ length: 65 }, (_, i) => event("content", 1625 * (clump + 1) + Math.floor(i / 17), 4)),
    ).flat()
    const { tpotMs } = requestFigures(logOf(events), 260)
    expect(Math.abs((tpotMs ?? 0) / 25 - 1)).toBeLessThan(0.01)
  })

  it("of a fast stream joins no reads", () => {
    const events = Array.from({ length: 100 }, (_, i) => event("content", 100 + 0.5 * Math.floor(i / 2), 4))
    expect(requestFigures(logOf(events), 100).itlMs).toHaveLength(98)
  })
})
