import type { VariantReport } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { reliabilityChange } from "../../../src/analyse/compare/reliability-change.ts"
import { judgeCandidate } from "../../../src/analyse/decide/judge-candidate.ts"
import { limitFindings } from "../../../src/analyse/decide/limit-findings.ts"
import type { ComparisonFacts } from "../../../src/core/report/verdict-facts.ts"
import { wilsonRate } from "../../../src/perf/wilson.ts"

/** As much of a report as reliability needs. */
function variant(name: string, failed: number, attempts: number): VariantReport {
  const reliability = { failedAttempts: failed, attempts, attemptFailures: wilsonRate(failed, attempts) }
  const empty = { quality: [], cost: {}, resources: {}, tokens: {}, speed: {} }
  return {
    name,
    ...empty,
    reliability,
    availability: wilsonRate(attempts - failed, attempts),
  } as unknown as VariantReport
}

/** A candidate that is as good, and 40 % cheaper. */
function facts(candidate: VariantReport): ComparisonFacts {
  const reliability = reliabilityChange(variant("steady", 0, 100), candidate)
  return {
    ...{ baseline: "steady", candidate: candidate.name, performance: {}, flips: null },
    identity: { compared: 0, identical: 0, warning: null },
    metrics: [
      { metric: "exactMatch", primary: true, verdict: "non_inferior", margin: 0.02, direction: "higher", missing: {} },
    ],
    changes: [
      {
        ...{ figure: "costUsd", share: -0.4, low: -0.41, high: -0.39, isProven: true, isMaterial: true },
        ...{ n: 100, turns: null, method: "test", text: "40 % cheaper" },
      },
    ],
    ...(reliability && { reliability }),
  } as unknown as ComparisonFacts
}

function judged(candidate: VariantReport, constraints: readonly string[] = []) {
  const limits = limitFindings(candidate, constraints, "exactMatch")
  const metrics = [{ name: "exactMatch", range: [0, 1] as const, unit: "share" }]
  return judgeCandidate(facts(candidate), { metrics, smallestGain: 0.05, candidates: 1, limits })
}

describe("a cheaper candidate that is as good", () => {
  it("is swapped to where it fails as rarely", () => {
    expect(judged(variant("b", 1, 100))).toMatchObject({ verdict: "swap", basis: "gain" })
    expect(judged(variant("b", 0, 100))).toMatchObject({ verdict: "swap", basis: "gain" })
  })

  it("is kept out where its attempts fail more often, and says how many", () => {
    const candidate = judged(variant("b", 20, 120))
    expect(candidate).toMatchObject({ verdict: "keep", basis: "less_reliable" })
    expect(candidate.answer).toContain("20 of 120 attempts failed (16.7 %), where 0 of 100 (0 %) of steady did")
    expect(candidate.evidence).toMatch(/between [\d.]+ and [\d.]+ points more/)
  })

  it("is judged by the run's own limit where there is one", () => {
    expect(judged(variant("b", 20, 120), ["attemptFailures <= 30 %"])).toMatchObject({ verdict: "swap" })
    expect(judged(variant("b", 20, 120), ["attemptFailures <= 5 %"])).toMatchObject({
      verdict: "keep",
      basis: "limit_broken",
    })
  })
})

describe("a limit on failures", () => {
  it("is refuted by few requests", () => {
    const [limit] = limitFindings(variant("a", 2, 20), ["attemptFailures <= 1 %"], undefined)
    expect(limit).toMatchObject({ state: "violated" })
  })

  it("is open after a hundred requests without a failure, and says how many show it", () => {
    const [limit] = limitFindings(variant("a", 0, 100), ["attemptFailures <= 1 %"], undefined)
    expect(limit).toMatchObject({ state: "open" })
    expect(limit?.found).toContain("share of failed attempts is 0 %")
    expect(limit?.found).toContain("no fewer than 381 requests without a failure can show that it is kept")
    expect(limitFindings(variant("a", 0, 381), ["attemptFailures <= 1 %"], undefined)[0]).toMatchObject({
      state: "kept",
    })
    expect(limitFindings(variant("a", 0, 380), ["availability >= 99 %"], undefined)[0]).toMatchObject({ state: "open" })
  })
})
