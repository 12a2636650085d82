import { describe, expect, it } from "vitest"
import { pearson, spearman } from "../../../src/stats/agreement/correlation.ts"
import { kendall } from "../../../src/stats/agreement/kendall.ts"
import { somersD } from "../../../src/stats/agreement/somers-d.ts"
import { weightedTau } from "../../../src/stats/agreement/weighted-tau.ts"
import { ranks } from "../../../src/stats/ranks.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

type Result = { stat: number; p: number }
const records = readGolden<{ x: number[]; y: number[] }, Record<string, Result> & { rank_average_x: number[] | null }>(
  "correlation",
)

describe("correlations", () => {
  it.each(records)("equal scipy's: $id", ({ inputs: { x, y }, expected }) => {
    const same = (actual: { statistic: number; p: number }, target: Result, tolerance = 1e-9) => {
      expectClose(actual.statistic, target.stat, 1e-12)
      expectClose(actual.p, target.p, tolerance)
    }
    same(pearson(x, y), expected.pearson as Result)
    same(spearman(x, y), expected.spearman as Result)
    same(kendall(x, y), expected.kendall_b as Result)
    same(kendall(x, y, { variant: "c" }), expected.kendall_c as Result)
    same(kendall(x, y, { mode: "normal" }), expected.kendall_b_asymptotic as Result)
    same(somersD(x, y), expected.somersd as Result)
    expectClose(weightedTau(x, y), (expected.weightedtau as Result).stat, 1e-12)
    // scipy gives no p to it either.
    expect((expected.weightedtau as Result).p).toBeNaN()
    if (expected.rank_average_x) expect([...ranks(x)]).toEqual(expected.rank_average_x)
  })
})

it("reads every field of its golden records", () => {
  expect(unreadFields(records)).toEqual([])
})
