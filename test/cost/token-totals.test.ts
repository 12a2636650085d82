import { figureValue } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { createTokenAccumulator } from "../../src/cost/token-totals.ts"
import { generationOf, usageOf } from "./generations.ts"

describe("token totals", () => {
  it("adds up what was reported and says what was not", () => {
    const tokens = createTokenAccumulator()
    tokens.add(generationOf({ usage: usageOf(100, 10, 40) }))
    tokens.add(generationOf({ usage: usageOf(100, null, 0) }))
    const { prompt, completion, reasoning } = tokens.figures()
    expect(figureValue(prompt)).toBe(200)
    expect(completion).toMatchObject({ value: 10, n: 1, warning: "1 of 2 answers reported none" })
    expect(reasoning.status).toBe("unknown")
    expect(figureValue(tokens.promptCacheHitRate())).toBe(0.2)
  })

  it("does not take silence for a cache that never hits", () => {
    const tokens = createTokenAccumulator()
    tokens.add(generationOf({ usage: usageOf(100, 10) }))
    expect(tokens.promptCacheHitRate().status).toBe("unknown")
  })
})
