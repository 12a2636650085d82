import { describe, expect, it } from "vitest"
import type { Outcome } from "../../../src/core/outcome.ts"
import type { ContextWindowData } from "../../../src/core/report/report-sections.ts"
import { createContextUse } from "../../../src/perf/context-use.ts"
import { contextWindowSection } from "../../../src/wording/sections/context-window.ts"

type Request = readonly [prompt: number | null, completion: number | null, outcome?: Outcome, message?: string]

/** A variant whose requests used so many tokens of a window. */
function variantOf(name: string, tokens: number | null, requests: readonly Request[]) {
  const use = createContextUse(tokens === null ? null : { tokens, source: "as the server states it" })
  for (const [promptTokens, completionTokens, outcome = "ok", message] of requests)
    use.add({
      usage: { promptTokens, completionTokens, cachedPromptTokens: null, reasoningTokens: null },
      outcome,
      failure: message === undefined ? null : { message },
    })
  return { name, finished: requests.length, contextUse: use.figures() }
}

const tenths = Array.from({ length: 11 }, (_, i): Request => [i * 10, 0])
const dataOf = (section: ReturnType<typeof contextWindowSection>) => section?.data as unknown as ContextWindowData

describe("contextWindowSection", () => {
  it("says first that everything fitted, then how full the window was", () => {
    const section = contextWindowSection([variantOf("small", 200, tenths), variantOf("large", 400, tenths)])
    expect(section?.sentences).toEqual([
      "Every request fitted into the context window (prompt and answer together) with room to spare; the largest used 50 % (small).",
      "small: half of the requests used up to 25 % of its 200 tokens, 95 % of them up to 47.5 %, the largest 50 %.",
      "large: half of the requests used up to 12.5 % of its 400 tokens, 95 % of them up to 23.8 %, the largest 25 %.",
    ])
    expect(section?.caution).toBeUndefined()
    expect(dataOf(section).variants[0]).toMatchObject({
      requests: 11,
      window: { value: 200 },
      p50: { value: 0.25 },
      largest: { value: 0.5, n: 11 },
      nearlyFull: { value: 0 },
      cutOff: { value: 0 },
      atLimit: 0,
      refused: 0,
    })
  })

  it("says when requests nearly filled the window", () => {
    const section = contextWindowSection([variantOf("a", 104, tenths)])
    expect(section?.sentences[0]).toContain("but 1 of them used over 90 % of it; the largest used 96.2 % (a).")
  })

  it("says whom the window cut off and whom it kept out, also to readers who see no sections", () => {
    const refusal = "HTTP 400: this model's maximum context length is 100 tokens; the prompt has 900"
    const section = contextWindowSection([
      variantOf("a", 100, [...tenths, [90, 10, "length"], [10, 5, "length"], [null, null, "http_4xx", refusal]]),
    ])
    const misfits = "1 answer of a was cut off by it, 1 request to a was refused as too long"
    expect(section?.sentences[0]).toContain(`was too small: ${misfits}.`)
    expect(section?.sentences[1]).toContain("2 answers ended at a token limit, 1 of them because the window was full.")
    expect(section?.caution).toBe(`The context window was too small: ${misfits}`)
  })

  it("leaves what is not known unknown, with its reason once and never as 0", () => {
    const section = contextWindowSection([
      variantOf("a", null, tenths),
      variantOf("b", null, [[5, 5, "length"]]),
      variantOf("c", 100, [[null, null]]),
    ])
    expect(section?.sentences[0]).toMatch(/^How much of the context window \(.+\) the requests used is unknown\.$/)
    expect(section?.sentences.slice(1)).toEqual([
      "c: unknown, because the endpoint did not report its tokens.",
      "a, b: unknown, because the model's context window is not known: neither the endpoint nor the price book states it.",
    ])
    const [, b] = dataOf(section).variants
    for (const figure of [b?.window, b?.p50, b?.largest, b?.nearlyFull, b?.cutOff])
      expect(figure?.status).toBe("unknown")
    expect(b?.atLimit).toBe(1)
  })

  it("does not vouch for variants whose use is unknown", () => {
    const section = contextWindowSection([variantOf("a", 200, tenths), variantOf("b", null, tenths)])
    expect(section?.sentences[0]).toMatch(/^As far as it is known, every request fitted into/)
  })

  it("is absent where nothing was answered", () => {
    expect(contextWindowSection([variantOf("a", 200, [])])).toBeNull()
  })
})
