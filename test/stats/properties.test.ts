import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createRandom } from "../../src/core/random.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
import { pairedMeanDifference } from "../../src/stats/intervals/paired-difference.ts"
import { wilsonInterval } from "../../src/stats/intervals/proportion-interval.ts"
import { tangoInterval } from "../../src/stats/intervals/tango-interval.ts"
import { quantile } from "../../src/stats/quantile.ts"
import { ranks } from "../../src/stats/ranks.ts"
import { mcnemarExact } from "../../src/stats/tests/mcnemar.ts"
import { adjustP } from "../../src/stats/tests/multiple-tests.ts"
import { marginVerdict, samplesToSettle } from "../../src/stats/tests/non-inferiority.ts"

const numbers = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2, maxLength: 60 })
const own = (n: number) => Array.from({ length: n }, (_, i) => `s${i}`)
const unbounded = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

describe("what mathematics promises", () => {
  it("puts every interval around its estimate", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), fc.nat(), (n, x, y) => {
        const successes = x % (n + 1)
        const rate = wilsonInterval(successes, n)
        expect(rate.low).toBeLessThanOrEqual(successes / n)
        expect(rate.high).toBeGreaterThanOrEqual(successes / n)
        const won = y % (n - successes + 1)
        const paired = tangoInterval(successes, won, n)
        expect(paired.low).toBeLessThanOrEqual((won - successes) / n + 1e-9)
        expect(paired.high).toBeGreaterThanOrEqual((won - successes) / n - 1e-9)
      }),
    )
    fc.assert(
      fc.property(numbers, (values) => {
        const { value, low, high } = meanInterval(values, own(values.length), unbounded)
        if (low !== null) expect(low).toBeLessThanOrEqual(value + 1e-9)
        if (high !== null) expect(high).toBeGreaterThanOrEqual(value - 1e-9)
      }),
    )
  })
  it("changes the sign and nothing else when the sides are exchanged", () => {
    fc.assert(
      fc.property(numbers, fc.integer(), (values, seed) => {
        const first = Float64Array.from(values)
        const random = createRandom(seed)
        const second = first.map((value) => value + random.normal())
        const options = { range: unbounded, seed: 1, test: false }
        const keys = own(values.length).map((_, i) => `c${i % 30}`)
        const there = pairedMeanDifference(first, second, keys, options)
        const back = pairedMeanDifference(second, first, keys, options)
        expect(back.value).toBeCloseTo(-there.value, 9)
        expect(back.low ?? Number.NaN).toBeCloseTo(-(there.high ?? Number.NaN), 9)
      }),
      { numRuns: 30 },
    )
    expect(mcnemarExact(7, 3)).toBe(mcnemarExact(3, 7))
  })
  it("never makes a p-value smaller by adjusting it, and keeps their order", () => {
    const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(pValues, fc.constantFrom("holm", "fdr_bh", "hommel", "bonferroni"), (p, correction) => {
        const adjusted = adjustP(p, correction)
        adjusted.forEach((value, i) => {
          expect(value).toBeGreaterThanOrEqual((p[i] as number) - 1e-12)
          expect(value).toBeLessThanOrEqual(1)
          p.forEach((other, j) => {
            if (other < (p[i] as number)) expect(adjusted[j] as number).toBeLessThanOrEqual(value + 1e-12)
          })
        })
      }),
    )
  })
  it("has quantiles that rise with q and stay among the values", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(numbers, share, share, (values, a, b) => {
        const [low, high] = [quantile(values, Math.min(a, b)), quantile(values, Math.max(a, b))]
        expect(low).toBeLessThanOrEqual(high + 1e-9)
        expect(low).toBeGreaterThanOrEqual(Math.min(...values))
        expect(high).toBeLessThanOrEqual(Math.max(...values))
      }),
    )
  })
  it("has ranks that add up to n (n + 1) / 2", () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const n = values.length
        expect(ranks(values).reduce((sum, rank) => sum + rank, 0)).toBeCloseTo((n * (n + 1)) / 2, 6)
      }),
    )
  })
})

describe("marginVerdict", () => {
  it("says one of four things, by the bounds alone", () => {
    expect(marginVerdict(0.001, 0.2, 0.05)).toBe("better")
    expect(marginVerdict(-0.04, 0.2, 0.05)).toBe("non_inferior")
    expect(marginVerdict(-0.2, -0.06, 0.05)).toBe("inferior")
    expect(marginVerdict(-0.06, 0.01, 0.05)).toBe("inconclusive")
    expect(marginVerdict(0, 0.01, 0)).toBe("inconclusive")
  })
  it("asks for more samples the nearer the difference is to the margin, and for none on it", () => {
    expect(samplesToSettle(0, 0.2, 0.05)).toBe(99)
    expect(samplesToSettle(-0.04, 0.2, 0.05)).toBe(2474)
    expect(samplesToSettle(-0.05, 0.2, 0.05)).toBeNull()
  })
})
