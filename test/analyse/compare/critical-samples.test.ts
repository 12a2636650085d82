import { describe, expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { breaksFinding } from "../../../src/analyse/decide/break-rule.ts"
import { numberMetric, type Stated, scoredVariant } from "../../support/scored.ts"

/** 20 samples that must not break, s0 … s19, before 180 others; all right but for the changes. */
function side(name: string, changes: Readonly<Record<number, Partial<Stated>>> = {}, repeats = 1) {
  const stated = Array.from({ length: 200 }, (_, i) =>
    Array.from({ length: repeats }, (_, repeat): Stated => {
      const { facts, ...change } = repeat === repeats - 1 ? (changes[i] ?? {}) : {}
      const critical = i < 20 ? ({ critical: true } as const) : {}
      return { id: `s${i}`, repeat, value: 1, ...change, facts: { ...critical, ...facts } }
    }),
  ).flat()
  return scoredVariant(name, "exact match", stated)
}

function compare(
  before: ReturnType<typeof side>,
  after: ReturnType<typeof side>,
  metric = numberMetric("exact match"),
  alpha = 0.05,
) {
  const comparison = compareVariants({
    baseline: before,
    candidate: after,
    metrics: [metric],
    primary: [metric.name],
    margin: 0.05,
    alpha,
    seed: 1,
  })
  const [finding] = comparison.critical ?? []
  if (!finding) throw new Error("no sample is marked critical")
  return { comparison, finding }
}

describe("samples that must not break", () => {
  it("are bounded exactly where none broke: 20 of 20 right are at least 86 % (0.05^(1/20))", () => {
    const { finding } = compare(side("f16"), side("q4"))
    expect(finding).toMatchObject({ samples: 20, rightBaseline: 20, rightCandidate: 20, broken: [], unknown: 0 })
    // Clopper and Pearson's lower bound where all n are right: the rate p with p^n = 0.05.
    expect(finding.atLeast).toBeCloseTo(0.05 ** (1 / 20), 6)
    expect(finding.sentence).toBe(
      "Of 20 samples that must not break, none went from right to wrong by exact match: 20 were right before, 20 are now, which is at least 86 % of samples like them (95 % confidence).",
    )
  })
  it("has a bound of 95 % whatever the run's error rate is", () => {
    expect(compare(side("f16"), side("q4"), numberMetric("exact match"), 0.2).finding.atLeast).toBeCloseTo(0.8609, 4)
  })
  it("keep the baseline where one breaks, though the candidate is as good on the whole", () => {
    const { comparison, finding } = compare(side("f16"), side("q4", { 3: { value: 0 } }))
    expect(comparison.metrics[0]?.verdict).toBe("non_inferior")
    expect(comparison).toMatchObject({ verdict: "keep", basis: "critical_broken" })
    expect(comparison.sentence).toMatch(
      /^q4 cannot replace f16: 1 of 20 samples that must not break went from right to wrong \(s3\)\./,
    )
    expect(finding).toMatchObject({ broken: ["s3"], rightCandidate: 19 })
  })
  it("break by an answer that failed, and by one repeat of several", () => {
    const failed = { 3: { value: null, facts: { outcome: "http_5xx" } } } as const
    const { finding } = compare(side("f16"), side("q4", failed))
    expect(finding).toMatchObject({ broken: ["s3"], brokenByFailure: 1 })
    expect(finding.sentence).toBe(
      "Of 20 samples that must not break, 1 went from right to wrong by exact match: s3; of 1 the answer failed.",
    )
    expect(compare(side("f16", {}, 3), side("q4", { 4: { value: 0 } }, 3)).finding.broken).toEqual(["s4"])
  })
  it("may have broken where a side is unknown and the other leaves it possible", () => {
    const values = [1, 0, null]
    const pairs = values.flatMap((before) => values.map((after) => ({ before, after })))
    const open = pairs.filter(({ before, after }) => {
      const own = (value: number | null) => ({ 3: { value } })
      return compare(side("f16", own(before)), side("q4", own(after))).finding.unknown === 1
    })
    expect(open).toEqual([
      { before: 1, after: null },
      { before: null, after: 0 },
      { before: null, after: null },
    ])
  })
  it("leave the swap open where it is not known of one", () => {
    const { comparison, finding } = compare(side("f16"), side("q4", { 3: { value: null } }))
    expect(finding).toMatchObject({ broken: [], unknown: 1, atLeast: null })
    expect(finding.sentence).toBe(
      "Of 20 samples that must not break, none is known to have gone from right to wrong by exact match, but of 1 it is not known.",
    )
    expect(comparison.verdict).not.toBe("swap")
  })
  it("were wrong before, or are wrong of others: nothing broke", () => {
    const wrong = { 3: { value: 0 } }
    expect(compare(side("f16", wrong), side("q4", wrong)).finding).toMatchObject({ broken: [], unknown: 0 })
    expect(compare(side("f16"), side("q4", { 50: { value: 0 } })).finding.broken).toEqual([])
  })
  it("are right at the lowest value of a metric that is better lower", () => {
    const metric = numberMetric("exact match", { direction: "lower" })
    expect(compare(side("f16", { 3: { value: 0 } }), side("q4"), metric).finding).toMatchObject({
      ...{ rightBaseline: 1, rightCandidate: 0, broken: ["s3"] },
    })
  })
  it("fail a rule of the gate by their count, leave it open by what is not known, and by not being there", () => {
    const statusOf = (after: ReturnType<typeof side>, max: number) =>
      breaksFinding("criticalBreaks", compare(side("f16"), after).comparison, max).status
    expect(statusOf(side("q4"), 0)).toBe("passed")
    expect(statusOf(side("q4", { 3: { value: 0 } }), 0)).toBe("failed")
    expect(statusOf(side("q4", { 3: { value: 0 } }), 1)).toBe("passed")
    expect(statusOf(side("q4", { 3: { value: null } }), 0)).toBe("inconclusive")
    expect(breaksFinding("criticalBreaks", { baseline: "f16", candidate: "q4" }, 0)).toEqual({
      status: "inconclusive",
      message: "unknown: no sample that was compared is marked critical",
    })
  })
})
