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

  it("names every other class that was billed, by its part of the cost", () => {
    const tokens = createTokenAccumulator()
    tokens.add(generationOf({ usage: { ...usageOf(1000, 50), cacheWrite5mTokens: 600, cacheWrite1hTokens: 200 } }))
    tokens.add(generationOf({ usage: { ...usageOf(1000, 50), cacheWrite5mTokens: 100 } }))
    tokens.add(
      generationOf({
        usage: {
          ...usageOf(1000, 50, 300),
          audioPromptTokens: 200,
          cachedAudioPromptTokens: 80,
          imagePromptTokens: 70,
          imageCompletionTokens: 9,
        },
      }),
    )
    const { others = {} } = tokens.figures()
    expect(Object.fromEntries(Object.entries(others).map(([part, figure]) => [part, figureValue(figure)]))).toEqual({
      cacheWrite5m: 700,
      cacheWrite1h: 200,
      // 200 tokens of audio, of which 80 cached, are two classes.
      audioInput: 120,
      cachedAudioInput: 80,
      imageInput: 70,
      imageOutput: 9,
    })
    expect(others.cacheWrite5m).toMatchObject({ n: 2 })
  })

  it("does not take silence for a cache that never hits", () => {
    const tokens = createTokenAccumulator()
    tokens.add(generationOf({ usage: usageOf(100, 10) }))
    expect(tokens.promptCacheHitRate().status).toBe("unknown")
  })
})
