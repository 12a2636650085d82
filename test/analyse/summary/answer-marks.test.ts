import { describe, expect, it } from "vitest"
import { highlightsOf, isDisputed } from "../../../src/analyse/summary/answer-marks.ts"

const text = "The bridge opened in 1902."

describe("passages that a metric objects to", () => {
  it("come from the rows of hallucination detectors and of personal data", () => {
    const offences = [{ text: "in 1902", start: 18, reason: "no passage says so" }]
    expect(highlightsOf("claims", { offences }, text)).toEqual([
      { kind: "unsupported", metric: "claims", start: 18, length: 7, reason: "no passage says so" },
    ])
    expect(highlightsOf("leaks", { leaks: [{ kind: "email", start: 0, length: 3 }] }, text)).toEqual([
      { kind: "leak", metric: "leaks", start: 0, length: 3, reason: "email" },
    ])
  })

  it("stay inside the text and are bounded in number", () => {
    const outside = [{ text: "x", start: -1 }, { text: "x".repeat(99), start: 0 }, { text: "", start: 0 }, null, 7]
    for (const row of [null, 1, "row", {}, { offences: "no" }, { offences: outside }])
      expect(highlightsOf("claims", row, text)).toEqual([])
    const many = Array.from({ length: 99 }, () => ({ text: "T", start: 0, reason: "r".repeat(999) }))
    const highlights = highlightsOf("claims", { offences: many }, text)
    expect(highlights).toHaveLength(20)
    expect(highlights[0]?.reason).toHaveLength(300)
  })
})

describe("judges of one answer", () => {
  it("disagree from half of the scale on", () => {
    const row = (disagreement: number | null) => ({ kind: "panel", members: [], range: [1, 5], disagreement })
    expect([null, 0, 1, 2, 4].map((entry) => isDisputed(row(entry)))).toEqual([false, false, false, true, true])
    expect(isDisputed({ score: 1 })).toBe(false)
  })
})
