import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { mean, standardDeviation } from "../../../src/stats/mean.ts"
import { basicInterval, bcaInterval, percentileInterval } from "../../../src/stats/resampling/bootstrap-interval.ts"
import { bootstrapMeans, jackknifeMeans } from "../../../src/stats/resampling/bootstrap-mean.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

type Interval = { low: number; high: number; se: number }
const records = readGolden<
  { x?: number[]; a?: number[]; b?: number[]; indices: number[][] },
  { percentile: Interval; basic: Interval; BCa: Interval; distribution: number[]; p_onesided_le0?: number }
>("bootstrap")

describe("bootstrap intervals", () => {
  it.each(records)("equal scipy.stats.bootstrap's on its own resamples: $id", ({ inputs, expected }) => {
    const values = inputs.x ?? (inputs.b ?? []).map((value, i) => value - (inputs.a?.[i] as number))
    const distribution = Float64Array.from(inputs.indices, (list) => mean(list.map((i) => values[i] as number)))
    distribution.forEach((value, i) => {
      expectClose(value, expected.distribution[i] as number, 1e-12)
    })
    // scipy's own distribution, so that ties with the estimate fall as they do there.
    const theirs = Float64Array.from(expected.distribution)
    const estimate = inputs.x !== undefined ? mean(values) : mean(inputs.b as number[]) - mean(inputs.a as number[])
    const both = (actual: { low: number; high: number }, target: Interval) => {
      expectClose(actual.low, target.low, 1e-10)
      expectClose(actual.high, target.high, 1e-10)
    }
    both(percentileInterval(theirs), expected.percentile)
    both(basicInterval(theirs, estimate), expected.basic)
    both(bcaInterval(theirs, estimate, jackknifeMeans(Float64Array.from(values))), expected.BCa)
    for (const { se } of [expected.percentile, expected.basic, expected.BCa])
      expectClose(standardDeviation(theirs), se, 1e-10)
    if (expected.p_onesided_le0 !== undefined)
      expect(theirs.filter((value) => value <= 0).length / theirs.length).toBe(expected.p_onesided_le0)
  })
})

describe("bootstrapMeans", () => {
  const values = Float64Array.from({ length: 200 }, (_, i) => Math.sin(i) * 3)
  it("gives the same resamples for the same seed", () => {
    expect(bootstrapMeans(values, 50, createRandom(1))).toEqual(bootstrapMeans(values, 50, createRandom(1)))
    expect(bootstrapMeans(values, 50, createRandom(2))).not.toEqual(bootstrapMeans(values, 50, createRandom(1)))
  })
  it("spreads by the standard error of the mean", () => {
    const spread = standardDeviation(bootstrapMeans(values, 4000, createRandom(7)))
    expect(spread / (standardDeviation(values, 0) / Math.sqrt(values.length))).toBeCloseTo(1, 1)
  })
  it("weighs clusters by their size", () => {
    const sums = Float64Array.of(2, 6)
    const sizes = Float64Array.of(1, 2)
    const means = bootstrapMeans(sums, 200, createRandom(3), sizes)
    expect(new Set(means)).toEqual(new Set([2, 3, 8 / 3]))
    expect(jackknifeMeans(sums, sizes)).toEqual(Float64Array.of(3, 2))
  })
})

it("reads every field of its golden records", () => {
  expect(unreadFields(records)).toEqual([])
})
