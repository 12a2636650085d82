import { describe, expect, it } from "vitest"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import { compareVariants } from "../../../src/engine/compare/compare.ts"
import { decide } from "../../../src/engine/decide/decide.ts"
import { evaluateGate, gateExitCode } from "../../../src/engine/decide/gate.ts"
import { flipped, numberMetric, rates, scoredVariant } from "../scored.ts"

const known = (value: number, low?: number, high?: number): Figure => ({
  status: "known",
  value,
  ...(low === undefined ? {} : { low }),
  ...(high === undefined ? {} : { high }),
  n: 100,
  method: "stated",
})

function report(
  name: string,
  figures: { quality: Figure; perQueryUsd: Figure; p95: Figure; baseline?: boolean },
): VariantReport {
  const { quality, perQueryUsd, p95, baseline = false } = figures
  return {
    name,
    baseline,
    failure: null,
    availability: known(1, 0.96, 1),
    quality: [{ metric: "exact match", figure: quality }],
    speed: { e2eMs: { p50: known(20), p95, p99: p95 } },
    cost: { perQueryUsd },
    tokens: {},
    resources: { modelBytes: known(4e6) },
  } as unknown as VariantReport
}

const metric = numberMetric("exact match")
const base = rates(900, 776)
const side = (name: string, stated: ReturnType<typeof rates>) => scoredVariant(name, "exact match", stated)
const comparisonOf = (name: string, lost: number, won: number) =>
  compareVariants({
    baseline: side("f16", base),
    candidate: side(name, flipped(base, lost, won)),
    metrics: [metric],
    primary: ["exact match"],
    margin: 0.01,
    alpha: 0.05,
    seed: 42,
  })
const f16 = report("f16", {
  quality: known(0.86, 0.84, 0.88),
  perQueryUsd: known(0.002),
  p95: known(40, 38, 43),
  baseline: true,
})
const q8 = report("q8", { quality: known(0.86, 0.84, 0.88), perQueryUsd: known(0.001), p95: known(30, 28, 33) })
const q2 = report("q2", { quality: known(0.55, 0.52, 0.58), perQueryUsd: known(0.0005), p95: known(20, 18, 23) })

describe("evaluateGate", () => {
  const comparisons = [comparisonOf("q8", 5, 4), comparisonOf("q2", 300, 20)]
  const gate = (rule: Parameters<typeof evaluateGate>[0][number], variants = [f16, q8, q2]) =>
    evaluateGate([rule], { variants, comparisons })
  it("fails, passes and stays open by the whole interval, never by the point", () => {
    const results = gate({ figure: "exact match", min: 0.85 })
    expect(results.map(({ status }) => status)).toEqual(["inconclusive", "inconclusive", "failed"])
    expect(gate({ figure: "exact match", min: 0.8, variants: ["q8"] })).toMatchObject([{ status: "passed" }])
    expect(gate({ figure: "e2eMs.p95", max: 35 }).map(({ status }) => status)).toEqual(["failed", "passed", "passed"])
  })
  it("holds candidates against the baseline, paired", () => {
    const results = gate({ figure: "exact match", notWorseThanBaselineBy: 0.01 })
    expect(results.map(({ variant, status }) => [variant, status])).toEqual([
      ["q8", "passed"],
      ["q2", "failed"],
    ])
  })
  it("is inconclusive for what is unknown, and names the reason", () => {
    const [result] = gate({ figure: "costUsd", max: 1 }, [
      report("x", { quality: known(1), perQueryUsd: { status: "unknown", reason: "no price" }, p95: known(1) }),
    ])
    expect(result).toMatchObject({ status: "inconclusive", message: "unknown: no price" })
    expect(gate({ figure: "nonsense", max: 1, variants: ["q8"] })[0]?.message).toContain('no figure named "nonsense"')
  })
  it("ends in exit code 3 for a failure, 4 for an open question, 0 otherwise", () => {
    expect(gateExitCode(gate({ figure: "exact match", min: 0.85 }))).toBe(3)
    expect(gateExitCode(gate({ figure: "exact match", min: 0.85, variants: ["q8"] }))).toBe(4)
    expect(gateExitCode(gate({ figure: "exact match", min: 0.8, variants: ["q8"] }))).toBe(0)
    expect(gateExitCode([])).toBe(0)
  })
})

describe("decide", () => {
  const options = { baseline: "f16", variants: [f16, q8, q2], primary: ["exact match"], margin: 0.01 }
  it("swaps to the candidate that is not worse and saves most", () => {
    const decision = decide({ ...options, comparisons: [comparisonOf("q8", 5, 4), comparisonOf("q2", 300, 20)] })
    expect(decision).toMatchObject({ verdict: "swap", choice: "q8" })
    expect(decision.sentence).toMatch(/^Swap f16 for q8\. q8 is as good as f16 .* q8 is 50 % cheaper than f16\.$/)
    expect(decision.candidates.map(({ verdict }) => verdict)).toEqual(["swap", "keep"])
  })
  it("keeps the baseline when every candidate is worse", () => {
    const decision = decide({ ...options, comparisons: [comparisonOf("q2", 300, 20)] })
    expect(decision).toMatchObject({ verdict: "keep", choice: null })
    expect(decision.sentence).toMatch(/^Keep f16\. q2 is worse than f16/)
  })
  it("does not swap for nothing: as good but dearer keeps the baseline", () => {
    const dear = report("q8", { quality: known(0.86), perQueryUsd: known(0.004), p95: known(30) })
    const decision = decide({ ...options, variants: [f16, dear], comparisons: [comparisonOf("q8", 5, 4)] })
    expect(decision.verdict).toBe("keep")
    expect(decision.sentence).toContain("q8 is 100 % dearer than f16. Nothing is gained by the swap.")
  })
  it("says how many more samples an open question needs, and what they cost", () => {
    const decision = decide({ ...options, comparisons: [comparisonOf("q8", 30, 24)] })
    expect(decision.verdict).toBe("inconclusive")
    const [candidate] = decision.candidates
    expect(candidate?.neededCostUsd).toBeCloseTo((candidate?.neededSamples as number) * 0.003, 10)
    expect(decision.sentence).toMatch(/About [\d,]+ more samples would settle it, for about [\d.,]+ USD\.$/)
  })
  it("keeps the baseline when a candidate breaks a constraint", () => {
    const decision = decide({ ...options, constraints: ["p95 E2E < 25 ms"], comparisons: [comparisonOf("q8", 5, 4)] })
    expect(decision.verdict).toBe("keep")
    expect(decision.sentence).toContain('q8 must keep "p95 E2E < 25 ms", but e2eMs.p95 is 30.')
  })
  it("calls a candidate that could not be measured invalid", () => {
    const broken = { ...q8, failure: "the server did not start" }
    const decision = decide({ ...options, variants: [f16, broken], comparisons: [comparisonOf("q8", 5, 4)] })
    expect(decision.verdict).toBe("invalid")
    expect(decision.sentence).toContain("q8 could not be measured: the server did not start.")
  })
  it("has nothing to say without candidates", () => {
    expect(decide({ ...options, comparisons: [] })).toMatchObject({
      verdict: "not_comparable",
      sentence: "There is nothing to compare f16 with.",
    })
  })
})
