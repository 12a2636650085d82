import { describe, expect, it } from "vitest"
import { quantileInterval, samplesThatBound } from "../../src/stats/intervals/quantile-interval.ts"
import { mean, standardDeviation, standardError, variance } from "../../src/stats/mean.ts"
import { type QuantileMethod, quantile } from "../../src/stats/quantile.ts"
import { expectClose, readGolden, unreadFields } from "./golden.ts"

type Expected = Record<string, number[] | number>
const records = readGolden<{ values: number[]; q: number[] }, Expected>("special_functions").filter(({ id }) =>
  id.startsWith("quantile-"),
)
const methods: QuantileMethod[] = [
  "linear",
  "lower",
  "higher",
  "nearest",
  "midpoint",
  "inverted_cdf",
  "hazen",
  "weibull",
  "median_unbiased",
  "normal_unbiased",
]

describe("quantile", () => {
  for (const method of methods)
    it.each(records)(`equals numpy's ${method}: $id`, ({ inputs, expected }) => {
      inputs.q.forEach((q, i) => {
        expectClose(quantile(inputs.values, q, method), (expected[method] as number[])[i] as number, 1e-12)
      })
    })
  it.each(records)("goes with numpy's mean and variance: $id", ({ inputs, expected }) => {
    expectClose(mean(inputs.values), expected.mean as number, 1e-12)
    expectClose(variance(inputs.values), (expected.var_ddof1 as number | null) ?? Number.NaN, 1e-12)
    expectClose(standardDeviation(inputs.values, 0), expected.std_ddof0 as number, 1e-12)
    expectClose(standardError(inputs.values), (expected.sem as number | null) ?? Number.NaN, 1e-12)
  })
  it("does not change the order of its input", () => {
    const values = [3, 1, 2]
    quantile(values, 0.5)
    expect(values).toEqual([3, 1, 2])
  })
  it("is NaN of nothing", () => {
    expect(quantile([], 0.5)).toBeNaN()
  })
})

describe("quantileInterval", () => {
  it("takes the order statistics of the textbook: the median of 10 lies between the 2nd and the 9th", () => {
    const interval = quantileInterval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.5)
    expect(interval).toMatchObject({ value: 5.5, low: 2, high: 9 })
  })
  it("leaves a bound open that so few values cannot give, and says how many could", () => {
    const sorted = Float64Array.from({ length: 100 }, (_, i) => i)
    const interval = quantileInterval(sorted, 0.99)
    expect(interval?.low).not.toBeNull()
    expect(interval?.high).toBeNull()
    expect(interval?.neededN).toBe(368)
    expect(samplesThatBound(0.5)).toBe(6)
  })
  it("bounds p99 on both sides with as many values as it asks for", () => {
    const sorted = Float64Array.from({ length: samplesThatBound(0.99) }, (_, i) => i)
    expect(quantileInterval(sorted, 0.99)?.high).not.toBeNull()
  })
  it("is null of nothing", () => {
    expect(quantileInterval([], 0.5)).toBeNull()
  })
})

it("reads every field of its golden records", () => {
  expect(unreadFields(records, /^(skew|kurtosis|trim_mean10|gmean)$/)).toEqual([])
})
