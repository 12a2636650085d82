import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { computeFrontier } from "../../../src/analyse/frontier/frontier.ts"
import { frontierOfVariants } from "../../../src/analyse/frontier/frontier-of-variants.ts"
import { utilityShares } from "../../../src/analyse/frontier/utility.ts"
import { createRandom } from "../../../src/core/random.ts"
import { numberMetric, rates, scoredVariant } from "../../support/scored.ts"

const axes = [
  { name: "quality", goal: "maximize" },
  { name: "costUsd", goal: "minimize" },
] as const

describe("computeFrontier", () => {
  it("finds members, who dominates whom, the knee and the hypervolume", () => {
    const frontier = computeFrontier({
      axes,
      seed: 1,
      variants: [
        { name: "best", values: [0.9, 10] },
        { name: "knee", values: [0.85, 2] },
        { name: "cheap", values: [0.4, 1] },
        { name: "beaten", values: [0.8, 5] },
        { name: "unpriced", values: [0.99, null] },
      ],
      constraints: ["cost < 3 USD"],
    })
    const by = Object.fromEntries(frontier.points.map((point) => [point.variant, point]))
    expect(frontier.points.filter((p) => p.onFrontier).map((p) => p.variant)).toEqual(["best", "knee", "cheap"])
    expect(by.beaten?.dominatedBy).toEqual(["knee"])
    expect(frontier.knee).toBe("knee")
    expect(frontier.excluded).toEqual([{ variant: "unpriced", reason: "costUsd is unknown" }])
    expect(frontier.points.map((p) => p.meetsConstraints)).toEqual([false, true, true, false])
    // Scaled to 0..1 with the worst variant at 1: (0, 1), (0.1, 1/9), (1, 0) and (0.2, 4/9): 0.9 · 8/9.
    expect(frontier.hypervolume).toBeCloseTo(0.8, 10)
    expect(by.best?.membershipProbability).toBeNull()
    expect(frontier.dominance).toBeNull()
  })
  it("says nothing of how sure membership is where all samples are of one cluster", () => {
    const frontier = computeFrontier({
      axes,
      seed: 1,
      variants: [{ name: "a", values: [0.5, 1], samples: [Float64Array.of(0, 1), null] }],
      clusters: Int32Array.of(0, 0),
    })
    expect(frontier.points[0]).toMatchObject({ onFrontier: true, membershipProbability: null, intervals: [null, null] })
  })
  it("equals brute force on any table", () => {
    const value = fc.integer({ min: 0, max: 5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 10 }), (rows) => {
        const frontier = computeFrontier({
          axes: [...axes, { name: "e2eMs", goal: "minimize" }],
          seed: 1,
          variants: rows.map((values, i) => ({ name: `v${i}`, values })),
        })
        rows.forEach(([q, c, l], i) => {
          const beaten = rows.some(([q2, c2, l2]) => q2 >= q && c2 <= c && l2 <= l && (q2 > q || c2 < c || l2 < l))
          expect(frontier.points[i]?.onFrontier).toBe(!beaten)
        })
      }),
    )
  })
  it("draws all axes of a sample together, and says how sure membership is", () => {
    const random = createRandom(2)
    const n = 300
    const sample = (rate: number) => Float64Array.from({ length: n }, () => Number(random.next() < rate))
    const cost = (mean: number) => new Float64Array(n).fill(mean)
    const variant = (name: string, quality: Float64Array, price: number) => ({
      name,
      values: [quality.reduce((sum, v) => sum + v, 0) / n, price],
      samples: [quality, cost(price)],
    })
    const strong = sample(0.9)
    const frontier = computeFrontier({
      axes,
      seed: 7,
      variants: [
        variant("strong", strong, 10),
        variant("twin", strong.slice(), 10),
        variant("weak", sample(0.5), 10),
        variant("cheap", sample(0.5), 1),
      ],
    })
    const [a, b, weak, cheap] = frontier.points
    expect(a?.membershipProbability).toBe(1)
    // Equal points do not dominate each other, and identical answers stay equal in every draw.
    expect(b?.membershipProbability).toBe(1)
    expect([a?.tieGroup, b?.tieGroup]).toEqual([1, 1])
    expect(weak?.membershipProbability).toBe(0)
    expect(weak?.tieGroup).toBeNull()
    expect(cheap?.membershipProbability).toBe(1)
    expect(frontier.dominance?.[0]?.[2]).toBe(1)
    expect(frontier.method).toContain("300 samples")
    expect(a?.intervals[0]?.low as number).toBeLessThan(a?.values[0] as number)
  })
})

describe("frontierOfVariants", () => {
  const metric = numberMetric("exact match")
  const side = (name: string, right: number, e2eMs: number, costUsd: number | null) =>
    scoredVariant(
      name,
      "exact match",
      rates(200, right).map((entry, i) => ({ ...entry, facts: { e2eMs: e2eMs + (i % 10), costUsd } })),
    )
  it("reads quality, latency percentiles, cost and whole-variant figures", () => {
    const frontier = frontierOfVariants({
      variants: [side("a", 180, 30, 2), side("b", 150, 10, 1)],
      metrics: [metric],
      quality: "exact match",
      axes: ["quality", "e2eMs.p95", "memoryBytes"],
      constraints: ["p95 e2e < 20 ms and cost < 1,500 USD per 1,000"],
      figure: (variant, name) => (name === "memoryBytes" ? { value: variant === "a" ? 4e6 : 2e6 } : null),
      seed: 1,
      resamples: 200,
    })
    expect(frontier.axes.map(({ goal }) => goal)).toEqual(["maximize", "minimize", "minimize"])
    expect(frontier.points.map(({ values }) => values)).toEqual([
      [0.9, 39, 4e6],
      [0.75, 19, 2e6],
    ])
    expect(frontier.points.map(({ meetsConstraints }) => meetsConstraints)).toEqual([false, true])
    expect(frontier.points[0]?.intervals[2]).toBeNull()
  })
  it("draws a figure of the whole variant within its interval, and judges limits by the whole of it", () => {
    const costs = new Map([
      ["a", { value: 1.02, low: 0.95, high: 1.1 }],
      ["b", { value: 1, low: 0.93, high: 1.08 }],
      ["c", { value: 2, low: 1.9, high: 2.1 }],
    ])
    const build = (figure: (name: string) => { value: number; low?: number | null; high?: number | null } | null) =>
      frontierOfVariants({
        variants: ["a", "b", "c"].map((name) => side(name, 160, 30, null)),
        metrics: [metric],
        quality: "exact match",
        axes: ["quality", "costUsd"],
        constraints: ["costUsd <= 1.01", "perThousandUsd <= 1010"],
        figure: (variant, name) => {
          const result = figure(variant)
          if (result === null || name === "costUsd") return result
          const thousand = (bound: number | null | undefined) => (bound == null ? null : bound * 1000)
          return { value: result.value * 1000, low: thousand(result.low), high: thousand(result.high) }
        },
        seed: 1,
        resamples: 2000,
      })
    const { points } = build((name) => costs.get(name) ?? null)
    // Two machines of one cost are each on the frontier about half of the time: P(a < b) of two normal logarithms.
    const [a, b, c] = points.map(({ membershipProbability }) => membershipProbability as number)
    expect(a).toBeGreaterThan(0.25)
    expect(a).toBeLessThan(0.5)
    expect((a as number) + (b as number)).toBeCloseTo(1, 6)
    expect(c).toBe(0)
    expect(points.map(({ limits }) => limits)).toEqual(["open", "open", "violated"])
    expect(points[0]?.intervals[1]).toEqual({ low: 0.95, high: 1.1 })
    const exact = build((name) => ({ value: costs.get(name)?.value as number }))
    expect(exact.points.map(({ membershipProbability }) => membershipProbability)).toEqual([0, 1, 0])
    // So few requests that nothing bounds the cost: nobody knows who is on the frontier.
    const open = build((name) => ({ value: costs.get(name)?.value as number, low: null, high: null }))
    expect(open.points.map(({ membershipProbability }) => membershipProbability)).toEqual([null, null, null])
    expect(open.points.map(({ limits }) => limits)).toEqual(["open", "open", "open"])
  })
  it("leaves a variant out whose cost is unknown, and does not take it for 0", () => {
    const { excluded, points } = frontierOfVariants({
      variants: [side("a", 180, 30, null), side("b", 150, 10, 1)],
      metrics: [metric],
      quality: "exact match",
      axes: ["quality", "costUsd"],
      seed: 1,
    })
    expect(excluded).toEqual([{ variant: "a", reason: "costUsd is unknown" }])
    expect(points).toHaveLength(1)
  })
  it("refuses a quality metric that is not measured", () => {
    expect(() =>
      frontierOfVariants({ variants: [], metrics: [], quality: "bleu", axes: ["quality"], seed: 1 }),
    ).toThrow(/"bleu" is not among the metrics/)
  })
})

describe("utilityShares", () => {
  it("gives the weights for which each variant wins", () => {
    const { points } = computeFrontier({
      axes,
      seed: 1,
      variants: [
        { name: "good", values: [1, 10] },
        { name: "cheap", values: [0, 0] },
        { name: "never", values: [0.2, 9] },
      ],
    })
    const shares = utilityShares(axes, points)
    expect(shares.map(({ firstAxisWeight }) => firstAxisWeight)).toEqual([
      { from: 0.5, to: 1 },
      { from: 0, to: 0.5 },
      null,
    ])
    expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10)
  })
})
