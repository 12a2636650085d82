import { describe, expect, it } from "vitest"
import { findingWords } from "../../../reports/wording/finding.ts"
import { changeWords, tradeWords } from "../../../reports/wording/trade.ts"
import type { Comparison, MetricComparison } from "../../../src/core/report/comparison.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report: full } = syntheticInput({ samples: 60 })
const report = { ...full, variants: [], decision: null }
const [template] = full.comparisons as [Comparison]

function compare(metric: Partial<MetricComparison>, verdict: Comparison["verdict"]): string {
  const base = template.metrics[0] as MetricComparison
  const finding = { ...base, difference: -0.001, low: -0.009, high: 0.007, pairs: 900, margin: 0.01, ...metric }
  return findingWords(report, { ...template, verdict, sentence: "They differ in samples.", metrics: [finding] })
}

describe("the finding of a comparison in a line", () => {
  it("says better, with by how much", () => {
    expect(compare({ verdict: "better", difference: 0.084, low: 0.063, high: 0.105 }, "swap")).toBe(
      "better by 8.4 points (+8.4, +6.3 to +10.5, 900 pairs)",
    )
  })

  it("says not worse, with the margin", () => {
    expect(compare({ verdict: "non_inferior" }, "swap")).toBe("not worse than 1 point (−0.1, −0.9 to +0.7, 900 pairs)")
  })

  it("says what was lost, with the flips", () => {
    const mcnemar = { b: 152, c: 21, p: 0.001 }
    expect(compare({ verdict: "inferior", difference: -0.145, low: -0.169, high: -0.121, mcnemar }, "keep")).toBe(
      "loses 14.5 points (−14.5, −16.9 to −12.1, 900 pairs): 152 answers went wrong, 21 went right",
    )
  })

  it("says open, with the samples that would settle it", () => {
    expect(compare({ verdict: "inconclusive", neededN: 2100 }, "inconclusive")).toBe(
      "open (−0.1, −0.9 to +0.7, 900 pairs): 1,200 more samples would settle it",
    )
  })

  it("says what they cost where that is known", () => {
    const candidate = {
      candidate: template.candidate,
      verdict: "inconclusive",
      reasons: [],
      neededSamples: 1200,
      neededCostUsd: 0.5,
    } as const
    const decision = {
      baseline: "m-f16",
      choice: null,
      verdict: "inconclusive",
      sentence: "",
      candidates: [candidate],
    } as const
    const finding = { ...(template.metrics[0] as MetricComparison), verdict: "inconclusive", pairs: 900 } as const
    expect(findingWords({ ...report, decision }, { ...template, verdict: "inconclusive", metrics: [finding] })).toMatch(
      /: 1,200 more samples would settle it and cost \$0\.500$/,
    )
  })

  it("gives the reason of what is not comparable or invalid", () => {
    expect(compare({}, "not_comparable")).toBe("They differ in samples")
    expect(compare({}, "invalid")).toBe("They differ in samples")
  })

  it("adds what else changes, in per cent", () => {
    expect(tradeWords(full, "m-f16", "m-q8_0").slice(0, 2)).toEqual(["half the size", "12 % cheaper"])
    expect(changeWords(0.62, ["cheaper", "dearer", "the cost"])).toBe("38 % cheaper")
    expect(changeWords(3.14, ["cheaper", "dearer", "the cost"])).toBe("3.1 times the cost")
    expect(changeWords(0.97, ["cheaper", "dearer", "the cost"])).toBeNull()
    expect(changeWords(null, ["cheaper", "dearer", "the cost"])).toBeNull()
  })
})
