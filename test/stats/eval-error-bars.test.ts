import { describe, expect, it } from "vitest"
import { pearson } from "../../src/stats/agreement/correlation.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
import { mean, standardDeviation, standardError } from "../../src/stats/mean.ts"
import { passAtKEstimate } from "../../src/stats/pass-at-k-estimate.ts"
import { groupUnits, unitStandardError } from "../../src/stats/resampling/units.ts"
import { expectClose, readGolden, unreadFields } from "./golden.ts"

const all = readGolden<Record<string, number>, Record<string, number>>("eval_error_bars")
const scored = readGolden<{ scores_a: number[]; scores_b: number[]; cluster: number[] }, Record<string, number>>(
  "eval_error_bars",
).filter(({ inputs }) => inputs.scores_a !== undefined)

describe("Miller's error bars", () => {
  it.each(scored)("give the published formulas' numbers: $id", ({ inputs, expected }) => {
    const { scores_a: a, scores_b: b, cluster } = inputs
    const differences = a.map((value, i) => value - (b[i] as number))
    expectClose(mean(a), expected.mean_a as number, 1e-12)
    expectClose(standardError(a), expected.se_clt as number, 1e-12)
    expectClose(standardError(differences), expected.se_diff_paired as number, 1e-12)
    expectClose(Math.abs(mean(differences)), Math.abs(expected.mean_diff as number), 1e-12)
    expectClose(standardDeviation(a, 0) / Math.sqrt(a.length), expected.se_bernoulli as number, 1e-12)
    expectClose(
      unitStandardError(groupUnits(a, cluster.map(String))),
      expected.se_clustered_statsmodels_corrected as number,
      1e-12,
    )
    expectClose(Math.hypot(standardError(a), standardError(b)), expected.se_diff_unpaired as number, 1e-12)
    expectClose(pearson(a, b).statistic, expected.corr as number, 1e-12)
    expectClose(Math.abs(mean(differences) / standardError(differences)), expected.z_paired as number, 1e-12)
  })
  it.each(all.filter(({ id }) => id.startsWith("passk")))(
    "estimate pass@k without bias: $id",
    ({ inputs, expected }) => {
      const { n, c, k } = inputs as { n: number; c: number; k: number }
      expectClose(passAtKEstimate(n, c, k), expected.pass_at_k as number, 1e-12)
    },
  )
})

describe("meanInterval", () => {
  const singles = (n: number) => Array.from({ length: n }, (_, i) => `s${i}`)
  it("uses Wilson for independent zeros and ones: 5 of 5 is at least 57 %", () => {
    const { value, low, high, method } = meanInterval([1, 1, 1, 1, 1], singles(5), [0, 1])
    expect([value, high]).toEqual([1, 1])
    expect(low).toBeCloseTo(0.5655, 4)
    expect(method).toContain("Wilson")
  })
  it("uses clusters as the units when everything agrees", () => {
    const keys = ["a", "a", "a", "b", "b"]
    const { low, units } = meanInterval([1, 1, 1, 1, 1], keys, [0, 1])
    expect(units).toBe(2)
    expect(low).toBeLessThan(0.4)
  })
  it("does not shrink to a point when all values are equal", () => {
    const { low, high } = meanInterval([0.5, 0.5, 0.5], singles(3), [0, 1])
    expect(low).toBeLessThan(0.3)
    expect(high).toBeGreaterThan(0.7)
  })
  it("bounds nothing with one sample that is not a rate", () => {
    expect(meanInterval([0.3], ["a"], [0, 1])).toMatchObject({ value: 0.3, low: null, high: null, standardError: null })
  })
  it("leaves equal values of an unbounded metric without bounds", () => {
    expect(meanInterval([2, 2], singles(2), [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])).toMatchObject({
      low: null,
      high: null,
    })
  })
})

it("reads every field of its golden records", () => {
  expect(unreadFields([...scored, ...all.filter(({ id }) => /^passk/.test(id))], /cluster/)).toEqual([])
})
