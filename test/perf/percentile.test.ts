import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../src/core/random.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { seriesDistribution } from "../../src/perf/distribution.ts"
import { percentileFigure, quantileOfSorted, seriesPercentile, smallestSampleFor } from "../../src/perf/percentile.ts"
import { createStageTimes } from "../../src/perf/stage-times.ts"
import { workedExample } from "./logs.ts"

const ranks = (n: number, percent: number) => {
  const figure = percentileFigure(
    Array.from({ length: n }, (_, i) => i + 1),
    percent,
  )
  return figure.status === "known" ? [figure.low, figure.high] : null
}

describe("percentiles by rule R-7", () => {
  it("interpolates as numpy does by default", () => {
    // numpy.percentile([1, 2, 3, 4], 90) and numpy.percentile([15, 20, 35, 40, 50], 40)
    expect(quantileOfSorted([1, 2, 3, 4], 0.9)).toBeCloseTo(3.7, 12)
    expect(quantileOfSorted([15, 20, 35, 40, 50], 0.4)).toBeCloseTo(29, 12)
    expect(quantileOfSorted([7], 0.99)).toBe(7)
  })

  it("stays between the smallest and the largest value and grows with the share", () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const sorted = Float64Array.from(list).sort()
        const value = quantileOfSorted(sorted, share)
        expect(value).toBeGreaterThanOrEqual(quantileOfSorted(sorted, share / 2))
        expect(value).toBeLessThanOrEqual(sorted.at(-1) as number)
      }),
    )
  })
})

describe("the order-statistic interval", () => {
  it("gives the textbook ranks for the median of 100", () => {
    // qbinom(0.025, 100, 0.5) = 40, qbinom(0.975, 100, 0.5) + 1 = 61
    expect(ranks(100, 50)).toEqual([40, 61])
  })

  it("has no upper bound for p99 under 368 requests, where 0.99^n is above 2.5 %", () => {
    expect(ranks(367, 99)?.[1]).toBeNull()
    expect(ranks(368, 99)?.[1]).toBe(368)
  })

  it("has no bounds at all for a handful of values", () => {
    expect(ranks(3, 50)).toEqual([null, null])
  })
})

describe("a sample that is too small", () => {
  it("needs 459 requests for p99, 90 for p95, 44 for p90, 7 for p50", () => {
    expect([0.99, 0.95, 0.9, 0.5].map(smallestSampleFor)).toEqual([459, 90, 44, 7])
  })

  it("is said beside the figure, and not beside a large enough one", () => {
    const values = Float64Array.from({ length: 459 }, (_, i) => i)
    expect(percentileFigure(values.subarray(0, 458), 99)).toMatchObject({ warning: "n too small: p99 needs 459" })
    expect(percentileFigure(values, 99)).not.toHaveProperty("warning")
    expect(percentileFigure(new Float64Array(), 99)).toEqual({ status: "unknown", reason: "nothing was measured" })
  })
})

describe("times that a machine's stretches share", () => {
  /** Waits of a machine whose level changes slowly: an AR(1) of .9. */
  const slow = (random: Random) => {
    let level = 0
    return Float64Array.from({ length: 400 }, () => {
      level = 0.9 * level + Math.sqrt(1 - 0.9 ** 2) * random.normal()
      return 100 + 10 * level
    })
  }

  it("bound their percentiles and their mean by what they are worth, wherever a list of times becomes a figure", () => {
    const random = createRandom("slow machine")
    const covered = Array.from({ length: 200 }, () => seriesDistribution(slow(random), "").p50).filter(
      (p50) => p50.status === "known" && (p50.low ?? -Infinity) <= 100 && 100 <= (p50.high ?? Infinity),
    ).length
    // Taken as independent they cover about half.
    expect(covered).toBeGreaterThanOrEqual(0.9 * 200)
    const values = slow(random)
    expect(seriesPercentile(values, 50)).toEqual(seriesDistribution(values, "").p50)
    const stages = createStageTimes()
    let endMs = 0
    for (const value of values) {
      stages.add({ ...workedExample, stages: [{ name: "search", startMs: endMs, endMs: endMs + value }] })
      endMs += value
    }
    const [stage, series] = [stages.figures()?.search?.p50, seriesPercentile(values, 50)]
    const width = (figure: Figure | undefined) =>
      figure?.status === "known" ? (figure.high ?? Infinity) - (figure.low ?? -Infinity) : Number.NaN
    expect(width(stage)).toBeCloseTo(width(series), 6)
    expect(width(stage)).toBeGreaterThan(2 * width(percentileFigure(values.slice().sort(), 50)))
  })
})
