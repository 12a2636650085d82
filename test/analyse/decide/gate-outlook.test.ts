import { describe, expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { gateOutlook, minPairsForMargin } from "../../../src/analyse/decide/gate-outlook.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { numberMetric, rates, scoredVariant } from "../../support/scored.ts"

const metric = numberMetric("exactMatch")
const evaluation = {
  metrics: [metric],
  primary: ["exactMatch"],
  margin: 0.02,
  marginKind: "unit",
  alpha: 0.05,
  variants: [{}, {}] as never,
  gate: [{ figure: "exactMatch", notWorseThanBaselineBy: 0.02 }],
} as const

describe("what a gate cannot decide on so few samples", () => {
  it("is said beforehand, with the number of samples that it takes", () => {
    const [outlook] = gateOutlook(evaluation, 80)
    // Nothing changes in n pairs: 0.98^n is below 0.05 from 149 on.
    expect(outlook).toMatchObject({
      rule: "exact match not worse than the baseline by more than 2 points",
      figure: "exactMatch",
      samples: 80,
      samplesNeeded: 149,
    })
    expect(outlook?.sentence).toBe(
      '80 samples are too few for the gate: "exact match not worse by more than 2 points" takes at least 149 samples even if no answer changes, so that exit code 4 is foreseen.',
    )
    expect(gateOutlook(evaluation, 149)).toEqual([])
  })
  it("is the number from which an unchanged model passes", () => {
    const verdictAt = (n: number) => {
      const side = (name: string) => scoredVariant(name, "exactMatch", rates(n, n - 5))
      const settings = { metrics: [metric], primary: ["exactMatch"], margin: 0.02, alpha: 0.05, seed: 1 }
      return compareVariants({ baseline: side("a"), candidate: side("b"), ...settings }).metrics[0]?.verdict
    }
    expect([verdictAt(148), verdictAt(149)]).toEqual(["inconclusive", "non_inferior"])
  })
  it("is known of figures over all answers together, too", () => {
    const corpus: AnyMetric = {
      ...metric,
      aggregation: {
        kind: "sum",
        size: 2,
        vector(row, into, offset) {
          into[offset] = row as number
          into[offset + 1] = 1
        },
        score: ([sum = 0, count = 0]: ArrayLike<number> & Iterable<number>) => sum / count,
      },
    }
    expect(gateOutlook({ ...evaluation, metrics: [corpus], gate: [] }, 148)[0]).toMatchObject({ samplesNeeded: 149 })
    const verdictAt = (n: number) => {
      const side = (name: string) => scoredVariant(name, "exactMatch", rates(n, n - 5))
      const settings = { metrics: [corpus], primary: ["exactMatch"], margin: 0.02, alpha: 0.05, seed: 1 }
      return compareVariants({ baseline: side("a"), candidate: side("b"), ...settings }).metrics[0]?.verdict
    }
    expect([verdictAt(148), verdictAt(149)]).toEqual(["inconclusive", "non_inferior"])
  })
  it("names limits that not even faultless answers can keep", () => {
    const [outlook] = gateOutlook({ ...evaluation, gate: [{ figure: "exactMatch", min: 0.98 }] }, 100)
    expect(outlook).toMatchObject({ rule: "exact match at least 98 %", figure: "exactMatch", samplesNeeded: 189 })
    expect(outlook?.sentence).toContain("exit code 4 is foreseen")
  })
  it("names a margin of the verdict that no gate holds", () => {
    const [outlook] = gateOutlook({ ...evaluation, gate: [] }, 80)
    expect(outlook?.sentence).toContain("the verdict will be open")
  })
  it("is unknown where the metric has no two ends", () => {
    expect(minPairsForMargin(Number.POSITIVE_INFINITY, 0.02, 0.05)).toBeNull()
  })
})
