import { describe, expect, it } from "vitest"
import { figureValue } from "../../src/core/report/figure.ts"
import { contextShare, createContextUse } from "../../src/perf/context-use.ts"

const usage = (promptTokens: number | null, completionTokens: number | null) => ({
  promptTokens,
  completionTokens,
  cachedPromptTokens: null,
  reasoningTokens: null,
})
const window = { tokens: 2048, source: "as the endpoint states it" }

describe("context-window use", () => {
  it("is prompt and output tokens over the window, of each request", () => {
    expect(contextShare(usage(900, 124), 2048)).toBe(0.5)
    expect(contextShare(usage(null, 124), 2048)).toBeNull()
    const use = createContextUse(window)
    for (const tokens of [100, 200, 300]) use.add({ usage: usage(tokens, 12), outcome: "ok", failure: null })
    const { share, cutOff, warnings, window: stated } = use.figures()
    expect(figureValue(share.p50)).toBeCloseTo(212 / 2048, 12)
    expect(figureValue(stated)).toBe(2048)
    expect([cutOff, warnings]).toEqual([0, []])
  })

  it("warns of answers that a full window cut off, not of those that max_tokens did", () => {
    const use = createContextUse(window)
    use.add({ usage: usage(2000, 48), outcome: "length", failure: null })
    use.add({ usage: usage(100, 16), outcome: "length", failure: null })
    expect(use.figures()).toMatchObject({ cutOff: 1, warnings: [expect.stringContaining("1 answer was cut off")] })
  })

  it("warns of a window that is nearly full", () => {
    const use = createContextUse(window)
    use.add({ usage: usage(1900, 48), outcome: "ok", failure: null })
    expect(use.figures().warnings[0]).toContain("filled 95 %")
  })

  it("counts requests over 90 % of the window, answers at a token limit, and requests that it kept out", () => {
    const use = createContextUse(window)
    use.add({ usage: usage(1843, 0), outcome: "ok", failure: null })
    use.add({ usage: usage(1800, 44), outcome: "ok", failure: null })
    use.add({ usage: usage(100, 16), outcome: "length", failure: null })
    const message = "HTTP 400: This model's maximum context length is 2048 tokens. However, you requested 2100."
    use.add({ usage: usage(null, null), outcome: "http_4xx", failure: { message } })
    expect(use.figures()).toMatchObject({ nearlyFull: 1, atLimit: 1, cutOff: 0, refused: 1 })
    expect(use.figures().warnings).toEqual(["1 request was refused: too long for the context window of 2048 tokens"])
  })

  it("counts refused requests although nobody says how large the window is", () => {
    const use = createContextUse(null)
    use.add({
      usage: usage(null, null),
      outcome: "http_4xx",
      failure: { message: "HTTP 400: too much", code: "context_length_exceeded" },
    })
    expect(use.figures()).toMatchObject({ refused: 1, warnings: [expect.stringContaining("too long")] })
  })

  it("is unknown without a window or without token counts, never 0", () => {
    const without = createContextUse(null)
    without.add({ usage: usage(10, 10), outcome: "ok", failure: null })
    expect(without.figures().share.p50).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining("window is not known"),
    })
    const uncounted = createContextUse(window)
    uncounted.add({ usage: usage(null, null), outcome: "ok", failure: null })
    expect(uncounted.figures().share.p50).toMatchObject({
      status: "unknown",
      reason: "the endpoint did not report its tokens",
    })
  })
})
