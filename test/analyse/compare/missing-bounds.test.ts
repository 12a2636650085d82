import { describe, expect, it } from "vitest"
import { missingBounds } from "../../../src/analyse/compare/missing-bounds.ts"
import { alignRows } from "../../../src/rows/align.ts"
import { rowsOf } from "../../../src/rows/rows-of.ts"
import { numberMetric, scoredVariant } from "../../support/scored.ts"

/** Both sides, a value a sample; null: it has no score. */
function bounds(
  direction: "higher" | "lower",
  before: readonly (number | null)[],
  after: readonly (number | null)[],
  failedBoth = 0,
) {
  const side = (values: readonly (number | null)[]) =>
    rowsOf(
      scoredVariant(
        "v",
        "m",
        values.map((value) => ({ value })),
      ),
      "m",
    )
  return missingBounds(
    numberMetric("m", { range: [0, 10], direction }),
    alignRows(side(before), side(after)),
    failedBoth,
  )
}

describe("what missing scores could do to a difference", () => {
  // Two pairs gain 1 and lose 2; of one sample only the baseline has a score, of two only the candidate.
  const [before, after] = [
    [4, 6, 7, null, null],
    [5, 4, null, 3, 8],
  ]
  it("is the worst and the best score for each, over all samples of either side", () => {
    expect(bounds("higher", before, after)).toEqual({
      onlyBaseline: 1,
      onlyCandidate: 2,
      worstCase: (1 - 2 + (0 - 7) + (3 - 10) + (8 - 10)) / 5,
      bestCase: (1 - 2 + (10 - 7) + (3 - 0) + (8 - 0)) / 5,
    })
  })
  it("is turned round where less is better", () => {
    const higher = bounds("higher", before, after)
    expect(bounds("lower", before, after)).toMatchObject({ worstCase: higher.bestCase, bestCase: higher.worstCase })
  })
  it("is thinned by samples that failed on both sides, and unknown of none", () => {
    expect(bounds("higher", before, after, 5).worstCase).toBeCloseTo(
      (bounds("higher", before, after).worstCase as number) / 2,
      12,
    )
    expect(bounds("higher", [], [])).toMatchObject({ worstCase: null, bestCase: null })
  })
})
