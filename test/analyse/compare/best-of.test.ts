import { describe, expect, it } from "vitest"
import { bestOfJudge } from "../../../src/analyse/compare/best-of.ts"
import type { ScoredVariant } from "../../../src/core/metric/scored-variant.ts"
import { numberMetric, scoredVariant } from "../../support/scored.ts"

const metric = numberMetric("correct")
const judge = numberMetric("judge", { range: [1, 5] })

function judged(
  name: string,
  values: readonly number[],
  scores: readonly (number | null)[],
  costUsd: number,
  e2eMs: number,
): ScoredVariant {
  const answers = scoredVariant(
    name,
    "correct",
    values.map((value) => ({ value, facts: { costUsd, e2eMs } })),
  )
  const scored = scoredVariant(
    name,
    "judge",
    scores.map((value) => ({ value })),
  )
  return { ...answers, rows: new Map([...answers.rows, ...scored.rows]) }
}

describe("bestOfJudge", () => {
  const a = judged("a", [1, 0, 1, 0], [5, 2, 3, 1], 1, 10)
  const b = judged("b", [0, 1, 1, 1], [1, 4, 3, null], 2, 30)
  it("keeps the answer that the judge likes best and pays for all", () => {
    const best = bestOfJudge([a, b], metric, judge)
    // The fourth sample has no judge score of b and is left out; the third is a tie.
    expect(best).toMatchObject({ kind: "best_of", stages: ["a", "b"], judge: "judge", chosen: null })
    expect(best?.points).toEqual([{ threshold: 0, quality: 1, costUsd: 3, e2eMs: 30, escalated: 1 }])
    expect(best?.sentence).toBe(
      "Asking a and b and keeping the answer that is best by judge scores 100 %; it keeps a 66.7 %, b 33.3 %.",
    )
    expect(best?.method).toContain("3 paired answers")
  })
  it("does not exist without judged samples", () => {
    const bare = scoredVariant("bare", "correct", [{ value: 1 }])
    expect(bestOfJudge([bare, bare], metric, judge)).toBeNull()
  })
})
