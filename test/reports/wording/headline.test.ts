import { describe, expect, it } from "vitest"
import { headline, tellingComparison } from "../../../reports/wording/headline.ts"
import type { Comparison, MetricComparison, Verdict } from "../../../src/core/report/comparison.ts"
import type { CandidateDecision } from "../../../src/core/report/decision.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })
const [template] = report.comparisons as [Comparison]

interface Candidate extends Partial<CandidateDecision> {
  readonly candidate: string
  readonly verdict: Verdict
  readonly finding?: Partial<MetricComparison>
  readonly compared?: Verdict
}

function told(verdict: Verdict, candidates: readonly Candidate[], choice: string | null = null) {
  const decided: RunReport = {
    ...report,
    decision: {
      baseline: "m-f16",
      choice,
      verdict,
      sentence: "Nothing is known.",
      candidates: candidates.map(
        ({ candidate, verdict, reasons = [], neededSamples = null, neededCostUsd = null }) => ({
          candidate,
          verdict,
          reasons,
          neededSamples,
          neededCostUsd,
        }),
      ),
    },
    comparisons: candidates.map(({ candidate, verdict, compared = verdict, finding = {} }) => {
      const base = template.metrics[0] as MetricComparison
      const metric = { ...base, difference: -0.001, low: -0.009, high: 0.007, pairs: 900, margin: 0.01, mcnemar: null }
      return { ...template, candidate, verdict: compared, metrics: [{ ...metric, ...finding }] }
    }),
  }
  return headline(decided)
}

describe("the answer of a run", () => {
  it("says what may replace what, how good it is and at what price", () => {
    const mcnemar = { b: 9, c: 8, p: 1 }
    const swap = { candidate: "m-q8_0", verdict: "swap", finding: { verdict: "non_inferior", mcnemar } } as const
    expect(told("swap", [swap], "m-q8_0")).toEqual({
      answer: "m-q8_0 can replace m-f16: as good within 1 point, half the size, 12 % cheaper.",
      because: "On exact match −0.1 points (between −0.9 and +0.7, 900 pairs): 9 answers went wrong, 8 went right.",
    })
    const better = { ...swap, finding: { verdict: "better", difference: 0.02, low: 0.004, high: 0.037 } } as const
    expect(told("swap", [better], "m-q8_0")?.answer).toMatch(/^m-q8_0 can replace m-f16: better by 2 points, /)
  })

  it("says to keep the baseline, and what the closest candidate loses", () => {
    const finding = { verdict: "inferior", difference: -0.145 } as const
    expect(told("keep", [{ candidate: "s-q8_0", verdict: "keep", finding }])?.answer).toBe(
      "Keep m-f16: s-q8_0 loses 14.5 points.",
    )
    const worse = { candidate: "m-q2_0", verdict: "keep", finding: { ...finding, difference: -0.3 } } as const
    expect(told("keep", [worse, { candidate: "s-q8_0", verdict: "keep", finding }])?.answer).toBe(
      "Keep m-f16: even the closest of 2 candidates, s-q8_0, loses 14.5 points.",
    )
  })

  it("says when a swap would gain nothing, or would break a limit", () => {
    const same = { candidate: "m-q8_0", verdict: "swap", finding: { verdict: "non_inferior" } } as const
    expect(told("keep", [same])?.answer).toBe("Keep m-f16: m-q8_0 is as good, but nothing is gained by the swap.")
    const reasons = ['m-q8_0 must keep "ttftMs < 1", but ttftMs is 1.2.']
    const broken = told("keep", [{ ...same, verdict: "keep", compared: "swap", reasons }])
    expect(broken?.answer).toBe("Keep m-f16: m-q8_0 breaks a limit that was set.")
    expect(broken?.because).toMatch(/^m-q8_0 must keep "ttftMs < 1", but ttftMs is 1\.2\. On exact match/)
  })

  it("says what is open, and what would settle it at what price", () => {
    const open = { verdict: "inconclusive", finding: { verdict: "inconclusive" } } as const
    expect(
      told("inconclusive", [
        { ...open, candidate: "s-q8_0", neededSamples: 44_000 },
        { ...open, candidate: "m-q4_0", neededSamples: 1200, neededCostUsd: 3.1 },
      ])?.answer,
    ).toBe("Not settled whether m-q4_0 can replace m-f16: 1,200 more samples would settle it, for $3.10.")
    expect(told("inconclusive", [{ ...open, candidate: "m-q4_0" }])?.answer).toBe(
      "Not settled whether m-q4_0 can replace m-f16.",
    )
  })

  it("gives the reason where nothing can be compared or the run is no evidence", () => {
    const reasons = ["no sample has a score on both sides"]
    expect(told("not_comparable", [{ candidate: "m-q8_0", verdict: "not_comparable", reasons }])).toEqual({
      answer: "m-q8_0 and m-f16 cannot be compared: no sample has a score on both sides.",
      because: "",
    })
    expect(told("invalid", [{ candidate: "m-q8_0", verdict: "invalid", reasons }])?.answer).toBe(
      "This run is no evidence: no sample has a score on both sides.",
    )
    expect(told("not_comparable", [])?.answer).toBe("There is nothing to compare m-f16 with.")
    expect(headline({ ...report, decision: null })).toBeNull()
  })

  it("is about the comparison that the page shows beneath it", () => {
    expect(tellingComparison(report)?.candidate).toBe(report.decision?.choice)
  })
})
