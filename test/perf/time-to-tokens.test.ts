import { describe, expect, it } from "vitest"
import { crossover, timeToTokens } from "../../src/perf/time-to-tokens.ts"

describe("time-to-N-tokens lines", () => {
  it("meet where a fast start and a fast stream are equally good", () => {
    const early = { ttftMs: 100, tpotMs: 30 }
    const fast = { ttftMs: 400, tpotMs: 10 }
    expect(crossover(early, fast)).toBe(16)
    expect(crossover(fast, early)).toBe(16)
    expect(timeToTokens(early, 16)).toBe(timeToTokens(fast, 16))
  })

  it("never meet when one variant is ahead in both, or the streams are equally fast", () => {
    expect(crossover({ ttftMs: 100, tpotMs: 10 }, { ttftMs: 400, tpotMs: 30 })).toBeNull()
    expect(crossover({ ttftMs: 100, tpotMs: 10 }, { ttftMs: 400, tpotMs: 10 })).toBeNull()
  })
})
