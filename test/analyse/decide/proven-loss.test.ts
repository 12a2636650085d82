import { describe, expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { flipped, numberMetric, rates, scoredVariant } from "../../support/scored.ts"

const base = rates(300, 240)

/** The sentences of a candidate that loses so many of 300 answers and wins so many. */
function sentences(lost: number, won: number, margin: number, other: { lost: number; won: number } | null = null) {
  const side = (name: string, values: typeof base, second: typeof base) => {
    const { rows, ...variant } = scoredVariant(name, "exact match", values)
    return { ...variant, rows: new Map([...rows, ...scoredVariant(name, "contains", second).rows]) }
  }
  const comparison = compareVariants({
    baseline: side("f16", base, base),
    candidate: side("q4", flipped(base, lost, won), other ? flipped(base, other.lost, other.won) : base),
    metrics: [numberMetric("exact match"), numberMetric("contains")],
    primary: other ? ["exact match", "contains"] : ["exact match"],
    margin,
    alpha: 0.05,
    seed: 1,
  })
  return { answer: comparison.sentence, finding: comparison.metrics[0]?.sentence, bounds: comparison.metrics[0] }
}

describe("an open margin", () => {
  it("hides no loss that the bounds prove: how large it is is said, and that only the margin is open", () => {
    const { answer, finding, bounds } = sentences(24, 4, 0.08)
    expect(bounds?.verdict).toBe("inconclusive")
    expect(bounds?.highBound).toBeLessThan(0)
    expect(answer).toMatch(
      /^Whether q4 can replace f16 is open: it is worse on exact match by [\d.]+ to [\d.]+ points; whether by more than 8 points is open\. /,
    )
    expect(finding).toMatch(
      /^q4 is worse than f16 on exact match by [\d.]+ to [\d.]+ points; whether by more than 8 points is open: /,
    )
    expect(`${answer} ${finding}`).not.toContain("may be worse")
  })
  it("is a possible loss where the bounds hold 0", () => {
    const { answer, finding, bounds } = sentences(14, 12, 0.02)
    expect(bounds?.verdict).toBe("inconclusive")
    expect(bounds?.highBound).toBeGreaterThan(0)
    expect(answer).toMatch(
      /^Whether q4 can replace f16 is open: it may be worse on exact match by more than 2 points\. /,
    )
    expect(finding).toMatch(/^Whether q4 is worse than f16 on exact match by more than 2 points is open: /)
  })
  it("names what is proven before what is possible, where metrics differ", () => {
    expect(sentences(24, 4, 0.08, { lost: 38, won: 25 }).answer).toMatch(
      /: it is worse on exact match by .* points; whether by more than 8 points is open; it may be worse on contains by more than 8 points\. /,
    )
  })
})
