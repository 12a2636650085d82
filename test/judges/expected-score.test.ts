import { describe, expect, it } from "vitest"
import { expectedScore } from "../../judges/expected-score.ts"
import type { TokenLogprob } from "../../src/core/generation.ts"

const token = (text: string, top: Readonly<Record<string, number>> = { [text]: 1 }): TokenLogprob => ({
  token: text,
  logprob: Math.log(top[text] ?? 1),
  top: Object.entries(top).map(([other, p]) => ({ token: other, logprob: Math.log(p) })),
})
const grades = [1, 2, 3, 4, 5].map((score) => ({ label: String(score), score }))

describe("expectedScore", () => {
  it("is the mean of the grades under the probabilities of the score token", () => {
    const tokens = [token('{"verdict": "'), token("4", { "4": 0.6, "5": 0.3, "3": 0.1 }), token('"}')]
    // 0.6 · 4 + 0.3 · 5 + 0.1 · 3, by hand
    expect(expectedScore(tokens, "4", grades)).toBeCloseTo(4.2, 12)
  })

  it("renormalises over the labels and ignores other tokens", () => {
    const tokens = [token(" 2", { " 2": 0.5, " 1": 0.25, " the": 0.25 })]
    // (0.5 · 2 + 0.25 · 1) / 0.75
    expect(expectedScore(tokens, "2", grades)).toBeCloseTo(5 / 3, 12)
  })

  it("is null when less than half of the probability is on labels", () => {
    expect(expectedScore([token("2", { "2": 0.4, x: 0.6 })], "2", grades)).toBeNull()
  })

  it("distinguishes labels by the beginning of their first token", () => {
    const labels = [
      { label: "yes", score: 1 },
      { label: "partly", score: 0.5 },
      { label: "no", score: 0 },
    ]
    expect(expectedScore([token("par", { par: 0.5, yes: 0.4, no: 0.1 }), token("tly")], "partly", labels)).toBeCloseTo(
      0.65,
      12,
    )
  })

  it("does not take the first digit of 10 for a 1", () => {
    const tenths = Array.from({ length: 11 }, (_, i) => ({ label: String(i), score: i / 10 }))
    expect(expectedScore([token("1", { "1": 1 }), token("0")], "10", tenths)).toBeNull()
    expect(expectedScore([token("1", { "1": 0.75, "10": 0.25 })], "1", tenths)).toBeCloseTo(0.325, 12)
  })

  it("reads the last mention of the label", () => {
    const tokens = [token("2", { "2": 0.9, "1": 0.1 }), token(" or rather "), token("2", { "2": 0.5, "3": 0.5 })]
    expect(expectedScore(tokens, "2", grades)).toBeCloseTo(2.5, 12)
  })

  it("reads the mention that is the verdict's own, whatever follows it or stands before it", () => {
    const verdict = token("3", { "3": 0.5, "4": 0.5 })
    const before = [token("<think>3 or 3?</think>"), token('{"verdict": "'), verdict]
    const after = [token('", "reason": "'), token("13", { "13": 1 }), token(" points, 3 of them good"), token('"}')]
    expect(expectedScore([...before, ...after], "3", grades, '"3", "reason": "13 points, 3 of them good"}')).toBe(3.5)
    expect(expectedScore([...before, token('"}')], "3", grades, '"3"}')).toBe(3.5)
  })

  it("is null without a token for the label", () => {
    expect(expectedScore([token("four")], "4", grades)).toBeNull()
    expect(expectedScore([], "4", grades)).toBeNull()
  })
})
