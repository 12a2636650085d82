import { describe, expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { decide } from "../../../src/analyse/decide/decide.ts"
import { evaluateGate, gateExitCode } from "../../../src/analyse/decide/gate.ts"
import { limitFindings } from "../../../src/analyse/decide/limit-findings.ts"
import { type Figure, unknown } from "../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import { flipped, numberMetric, rates, scoredVariant } from "../../support/scored.ts"

const point = (value: number, low?: number, high?: number): Figure => ({
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
    availability: point(1, 0.96, 1),
    quality: [{ metric: "exact match", figure: quality }],
    speed: { e2eMs: { p50: point(20), p95, p99: p95 } },
    cost: { perQueryUsd },
    tokens: {},
    resources: { modelBytes: point(4e6), gpuMemoryBytes: unknown("no GPU") },
    text: {},
  } as unknown as VariantReport
}

const metric = numberMetric("exact match")
const base = rates(900, 776)
const side = (name: string, stated: ReturnType<typeof rates>) => scoredVariant(name, "exact match", stated)
const priced = (stated: ReturnType<typeof rates>, costUsd: number) =>
  stated.map((entry, i) => ({ ...entry, facts: { costUsd, e2eMs: 20 + (i % 3) } }))
const comparisonOf = (name: string, lost: number, won: number, costUsd = 0.001) =>
  compareVariants({
    baseline: side("f16", priced(base, 0.002)),
    candidate: side(name, priced(flipped(base, lost, won), costUsd)),
    metrics: [metric],
    primary: ["exact match"],
    margin: 0.01,
    alpha: 0.05,
    seed: 42,
  })
const f16 = report("f16", {
  quality: point(0.86, 0.84, 0.88),
  perQueryUsd: point(0.002),
  p95: point(40, 38, 43),
  baseline: true,
})
const q8 = report("q8", { quality: point(0.86, 0.84, 0.88), perQueryUsd: point(0.001), p95: point(30, 28, 33) })
const q2 = report("q2", { quality: point(0.55, 0.52, 0.58), perQueryUsd: point(0.0005), p95: point(20, 18, 23) })

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
  it("takes the mean of ten times 0.8 for 0.8, and shows the digits of what only reads as the limit", () => {
    const tested = (quality: Figure, min: number) =>
      evaluateGate([{ figure: "exact match", min }], {
        variants: [report("q8", { quality, perQueryUsd: point(1), p95: point(20) })],
        comparisons: [],
        metrics: [
          { name: "exact match", signature: "s", direction: "higher", range: [0, 1], unit: "score", primary: true },
        ],
      })[0]
    expect(tested(point(0.7999999999999999, 0.7999999999999999, 0.9), 0.8)?.status).toBe("passed")
    expect(tested(point(0.7966, 0.59, 0.85), 0.8)).toMatchObject({
      status: "inconclusive",
      message: expect.stringMatching(/^0\.8 \(0\.796600\), between 0\.59 and 0\.85/),
    })
  })
  it("holds candidates against the baseline, paired", () => {
    const results = gate({ figure: "exact match", notWorseThanBaselineBy: 0.01 })
    expect(results.map(({ variant, status }) => [variant, status])).toEqual([
      ["q8", "passed"],
      ["q2", "failed"],
    ])
  })
  it("says its rules and what it found in words, in the units that people read, beside the figure's name", () => {
    const records = [
      { name: "exact match", signature: "s", direction: "higher", range: [0, 1], unit: null, primary: true },
    ] as const
    const said = (rule: Parameters<typeof evaluateGate>[0][number]) =>
      evaluateGate([{ ...rule, variants: ["q8"] }], { variants: [f16, q8], comparisons, metrics: records })[0]
    expect(said({ figure: "e2eMs.p95", max: 35.25 })).toMatchObject({
      rule: "time end to end (p95) at most 35.25 ms",
      figure: "e2eMs.p95",
      message: "30 ms, between 28 ms and 33 ms (n = 100)",
    })
    expect(said({ figure: "exact match", min: 0.9 })).toMatchObject({
      rule: "exact match at least 90 %",
      message: "86 %, between 84 % and 88 % (n = 100): beyond the limit",
    })
    const p95 = { status: "known", value: 30, low: 28, high: null, n: 100, method: "stated" } as const
    const open = report("q8", { quality: point(1), perQueryUsd: point(1), p95 })
    expect(evaluateGate([{ figure: "e2eMs.p95", max: 29 }], { variants: [open], comparisons })[0]).toMatchObject({
      status: "inconclusive",
      message: "30 ms, at least 28 ms (n = 100): the interval holds the limit",
    })
    expect(said({ figure: "costUsd", max: 0.002 })?.rule).toBe("cost at most 2 USD per 1,000")
    expect(said({ figure: "modelBytes", max: 5e6 })).toMatchObject({
      rule: "size of the model at most 5 MB",
      message: "4 MB (n = 100)",
    })
    expect(said({ figure: "availability", min: 0.999 })?.rule).toBe("availability at least 99.9 %")
    expect(said({ figure: "e2eMs.p95", notWorseThanBaselineBy: 50 })?.rule).toBe(
      "time end to end (p95) not worse than the baseline by more than 50 ms",
    )
  })
  it("tells a rate in the unit in which its limit is written", () => {
    const findings = (limit: string) =>
      limitFindings(q8, [limit], "exact match", [{ name: "exact match", range: [0, 1] }]).map((own) => own.found)
    expect(findings("quality >= 90 %")).toEqual(["exact match is 86 %, between 84 % and 88 %"])
    expect(findings("quality >= 0.9")).toEqual(["exact match is 0.86, between 0.84 and 0.88"])
    expect(findings("availability >= 99 %")).toEqual([
      "availability is 100 %, between 96 % and 100 %; no fewer than 381 requests without a failure can show that it is kept",
    ])
  })
  it("is inconclusive for what is unknown, and names the reason", () => {
    const [result] = gate({ figure: "costUsd", max: 1 }, [
      report("x", { quality: point(1), perQueryUsd: { status: "unknown", reason: "no price" }, p95: point(1) }),
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
  const options = { baseline: "f16", variants: [f16, q8, q2], metrics: [metric] }
  const decided = (change: Partial<Parameters<typeof decide>[0]> & Pick<Parameters<typeof decide>[0], "comparisons">) =>
    decide({ ...options, ...change }).decision
  it("swaps to the candidate that is not worse and saves most", () => {
    const both = [comparisonOf("q8", 5, 4), comparisonOf("q2", 300, 20)]
    const { decision, comparisons } = decide({ ...options, comparisons: both })
    expect(decision).toMatchObject({
      verdict: "swap",
      choice: "q8",
      about: "q8",
      multiplicity: "Holm over 2 candidates",
    })
    expect(decision.sentence).toMatch(
      /^q8 can replace f16: it is as good on exact match within 1 point, and 50 % cheaper\. .* The other candidate \(q2\) is worse\.$/,
    )
    expect(decision.candidates.map(({ verdict }) => verdict)).toEqual(["swap", "keep"])
    expect(comparisons.map(({ verdict }) => verdict)).toEqual(["swap", "keep"])
  })
  it("gives every comparison the sentence of its decision", () => {
    const { decision, comparisons } = decide({ ...options, comparisons: [comparisonOf("q8", 5, 4)] })
    expect(comparisons[0]?.sentence).toBe(decision.candidates[0]?.sentence)
    expect(decision.sentence).toBe(comparisons[0]?.sentence)
  })
  it("keeps the baseline when every candidate is worse", () => {
    const decision = decided({ comparisons: [comparisonOf("q2", 300, 20)] })
    expect(decision).toMatchObject({ verdict: "keep", choice: null })
    expect(decision.sentence).toMatch(/^q2 cannot replace f16: it is worse on exact match by more than 1 point\./)
  })
  it("puts a settled keep before an open pair, and names the open one", () => {
    const decision = decided({ comparisons: [comparisonOf("q8", 30, 24), comparisonOf("q2", 300, 20)] })
    expect(decision).toMatchObject({ verdict: "keep", about: "q2" })
    expect(decision.sentence).toMatch(/The other candidate \(q8\) is open\.$/)
  })
  it("does not swap for nothing: as good but more expensive keeps the baseline", () => {
    const decision = decided({ comparisons: [comparisonOf("q8", 5, 4, 0.004)] })
    expect(decision.verdict).toBe("keep")
    expect(decision.sentence).toContain(
      "q8 should not replace f16: it is as good on exact match within 1 point, but 2 times as expensive.",
    )
  })
  it("asks for a gain as large as somebody says that it must be", () => {
    const comparisons = [comparisonOf("q8", 5, 4, 0.0018)]
    expect(decided({ comparisons }).verdict).toBe("swap")
    const rejudged = compareVariants({
      baseline: side("f16", priced(base, 0.002)),
      candidate: side("q8", priced(flipped(base, 5, 4), 0.0018)),
      metrics: [metric],
      primary: ["exact match"],
      margin: 0.01,
      alpha: 0.05,
      seed: 42,
      smallestGain: 0.2,
    })
    expect(rejudged).toMatchObject({ verdict: "keep", basis: "no_gain" })
  })
  it("says how many more samples an open question needs, and what they cost", () => {
    const decision = decided({ comparisons: [comparisonOf("q8", 30, 30)] })
    expect(decision.verdict).toBe("inconclusive")
    const [candidate] = decision.candidates
    expect(candidate?.neededCostUsd).toBeCloseTo((candidate?.neededSamples as number) * 0.003, 10)
    expect(decision.sentence).toMatch(
      /If nothing is lost, a new run of about [\d,]+ samples like these shows that with a probability of 80 %, for about \$[\d.,]+\. /,
    )
  })
  it("keeps the baseline when a candidate breaks a limit, whatever its quality", () => {
    const constraints = ["p95 E2E < 25 ms"]
    for (const [lost, won] of [
      [5, 4],
      [30, 24],
    ] as const) {
      const decision = decided({ constraints, comparisons: [comparisonOf("q8", lost, won)] })
      expect(decision.verdict).toBe("keep")
      expect(decision.sentence).toContain(
        'q8 cannot replace f16: it must keep "p95 E2E < 25 ms", but time end to end (p95) is 30 ms, between 28 ms and 33 ms.',
      )
    }
  })
  it("keeps a state for each of several limits that are broken or open at once, and names them in the answer", () => {
    const p95 = { ...point(24), low: 22, high: 27, n: 40 }
    const heavy = {
      ...q8,
      speed: { ...q8.speed, ttftMs: { ...q8.speed.e2eMs, p95 } },
    } as unknown as VariantReport
    const comparisons = [comparisonOf("q8", 5, 4)]
    const constraints = ["p95 TTFT < 25 ms", "p95 E2E < 25 ms", "quality >= 90 % and quality > 10 %", "energy < 5 J"]
    const { comparisons: worded, decision } = decide({ ...options, variants: [f16, heavy], comparisons, constraints })
    expect(worded[0]?.limits).toMatchObject([
      { limit: "p95 TTFT < 25 ms", side: "below", bound: 25, inclusive: false, state: "open", value: 24, low: 22 },
      { limit: "p95 E2E < 25 ms", side: "below", bound: 25, state: "violated", value: 30, low: 28, high: 33 },
      { limit: "quality >= 90 %", side: "above", bound: 0.9, inclusive: true, state: "violated" },
      { limit: "quality > 10 %", side: "above", bound: 0.1, state: "kept" },
      { limit: "energy < 5 J", figure: "energyJoules", state: "unknown", found: expect.stringContaining("no figure") },
    ])
    expect(decision.answer).toBe('q8 cannot replace f16: it breaks 2 limits, "p95 E2E < 25 ms" and "quality >= 90 %".')
    expect(decision.candidates[0]?.reasons).toContain(
      'q8: it must keep "quality >= 90 %", but exact match is 86 %, between 84 % and 88 %.',
    )
    const open = decide({
      ...options,
      variants: [f16, heavy],
      comparisons,
      constraints: ["p95 TTFT < 25 ms", "energy < 5 J"],
    })
    expect(open.decision.answer).toContain(
      'but whether it keeps 2 limits, "p95 TTFT < 25 ms" and "energy < 5 J", is not known.',
    )
  })
  it("holds limits on the quality and on the memory, by the words that a config has for them", () => {
    const heavy = { ...q8, resources: { ...q8.resources, peakRssBytes: point(5e9) } }
    const comparisons = [comparisonOf("q8", 5, 4)]
    const variants = [f16, heavy as unknown as VariantReport]
    const { sentence } = decided({ variants, comparisons, constraints: ["quality > 90 %"] })
    expect(sentence).toContain('it must keep "quality > 90 %", but exact match is 86 %, between 84 % and 88 %.')
    const { verdict, sentence: heavier } = decided({ variants, comparisons, constraints: ["memory < 4 GB"] })
    expect(verdict).toBe("keep")
    expect(heavier).toContain('it must keep "memory < 4 GB", but memory is 5 GB.')
  })
  it("judges a limit by the figure's interval: kept, broken, or open", () => {
    const at = (low: number, high: number | null) => {
      const p95 = { ...point(24), low, high, n: 40 }
      const variant = { ...q8, speed: { ...q8.speed, e2eMs: { ...q8.speed.e2eMs, p95 } } } as unknown as VariantReport
      return decided({
        variants: [f16, variant],
        constraints: ["p95 E2E < 25 ms"],
        comparisons: [comparisonOf("q8", 5, 4)],
      })
    }
    expect(at(22, 24.5).verdict).toBe(decided({ comparisons: [comparisonOf("q8", 5, 4)] }).verdict)
    const open = at(22, 27)
    expect(open.verdict).toBe("inconclusive")
    expect(open.candidates[0]).toMatchObject({ basis: "limit_unknown", neededSamples: null })
    expect(open.sentence).toContain(
      'whether it keeps the limit "p95 E2E < 25 ms" is open: time end to end (p95) is 24 ms, between 22 ms and 27 ms',
    )
    expect(at(22, null).sentence).toContain("time end to end (p95) is 24 ms, which 40 answers do not bound from above")
    expect(at(26, 30)).toMatchObject({ verdict: "keep", candidates: [{ basis: "limit_broken" }] })
  })
  it("says the time of a stage in its unit", () => {
    const speed = { ...q8.speed, stages: { retrieve: { p95: { ...point(3.5), low: 1, high: null, n: 40 } } } }
    const { sentence } = decided({
      variants: [f16, { ...q8, speed } as unknown as VariantReport],
      constraints: ["stages.retrieve.p95 < 5 ms"],
      comparisons: [comparisonOf("q8", 5, 4)],
    })
    expect(sentence).toContain("time of the stage retrieve (p95) is 3.5 ms, which 40 answers do not bound from above")
  })
  it("says of a limit on an unknown figure that it is unknown, not how many samples it needs", () => {
    const unknownP95 = {
      ...q8,
      speed: { e2eMs: { p50: point(20), p95: { status: "unknown", reason: "nothing was timed" } } },
    }
    const decision = decided({
      variants: [f16, unknownP95 as unknown as VariantReport],
      constraints: ["p95 E2E < 25 ms"],
      comparisons: [comparisonOf("q8", 5, 4)],
    })
    expect(decision).toMatchObject({ verdict: "inconclusive", candidates: [{ neededSamples: null }] })
    expect(decision.sentence).toContain('whether it keeps the limit "p95 E2E < 25 ms" is unknown:')
    expect(decision.sentence).not.toContain("more samples")
  })
  it("calls a candidate that could not be measured invalid", () => {
    const broken = { ...q8, failure: "the server did not start" }
    const decision = decided({ variants: [f16, broken], comparisons: [comparisonOf("q8", 5, 4)] })
    expect(decision.verdict).toBe("invalid")
    expect(decision.sentence).toContain("q8, because it could not be measured: the server did not start.")
  })
  it("has nothing to say without candidates", () => {
    expect(decided({ comparisons: [] })).toMatchObject({
      verdict: "not_comparable",
      sentence: "There is nothing to compare f16 with.",
    })
  })
})

describe("the cost of hardware that is paid by the hour", () => {
  const timed = (name: string, stated: ReturnType<typeof rates>, ms: number) =>
    side(
      name,
      stated.map((entry, i) => ({ ...entry, facts: { costUsd: null, e2eMs: ms + (i % 3) } })),
    )
  const decided = (timeErrorMs: number) => {
    const comparison = compareVariants({
      baseline: timed("f16", base, 10),
      candidate: timed("q8", flipped(base, 5, 4), 9),
      metrics: [metric],
      primary: ["exact match"],
      margin: 0.01,
      alpha: 0.05,
      seed: 42,
      timeErrorMs,
    })
    const reports = [f16, { ...q8, cost: { ...q8.cost, perQueryUsd: point(0.0018) } }]
    return decide({ baseline: "f16", comparisons: [comparison], variants: reports, metrics: [metric] })
  }
  const costOf = ({ comparisons }: ReturnType<typeof decided>) =>
    comparisons[0]?.changes?.find(({ figure }) => figure === "costUsd")

  it("is proven where the intervals of both costs say so, and the time that it follows from is proven", () => {
    expect(costOf(decided(0))).toMatchObject({ isProven: true, isMaterial: true })
    expect(decided(0).decision.verdict).toBe("swap")
  })

  it("proves nothing where the time's difference is within evalkit's own error", () => {
    const within = decided(2)
    expect(costOf(within)).toMatchObject({
      isProven: false,
      isMaterial: false,
      method: expect.stringContaining("within evalkit's own timing error"),
    })
    expect(within.decision.verdict).not.toBe("swap")
    expect(within.comparisons[0]?.sentence).not.toContain("cheaper")
  })
})
