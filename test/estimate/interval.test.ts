import { describe, expect, it } from "vitest"
import type { AnyMetric, MetricRow } from "../../src/core/metric/metric.ts"
import { createRandom } from "../../src/core/random.ts"
import { qualityFigure } from "../../src/estimate/interval.ts"
import { numberMetric, rates, type Stated, scoredVariant } from "../support/scored.ts"

const exact = numberMetric("m")
const rowsOf = (stated: readonly Stated[]) => scoredVariant("v", "m", stated).rows.get("m") as MetricRow[]

describe("qualityFigure", () => {
  it("bounds a rate by Wilson", () => {
    const { figure } = qualityFigure(exact, rowsOf(rates(10, 5)), { seed: 1 })
    expect(figure).toMatchObject({ status: "known", value: 0.5, n: 10, method: "mean, Wilson 95 % interval" })
    // statsmodels' Wilson interval of 5 of 10.
    expect(figure.status === "known" && figure.low).toBeCloseTo(0.2366, 4)
  })
  it("is unknown with the reason when nothing was scored, never 0", () => {
    expect(qualityFigure(exact, rowsOf([{ value: null }]), { seed: 1 }).figure).toEqual({
      status: "unknown",
      reason: "nothing was scored: empty_output",
    })
    expect(qualityFigure(exact, [], { seed: 1 }).figure).toEqual({ status: "unknown", reason: "nothing was measured" })
  })
  it("is wider by the design effect where answers are repeats of one sample", () => {
    const random = createRandom(3)
    const difficulty = Array.from({ length: 40 }, () => random.next())
    const stated = Array.from({ length: 200 }, (_, i) => ({
      id: `s${i % 40}`,
      repeat: Math.floor(i / 40),
      value: Number(random.next() < (difficulty[i % 40] as number)),
    }))
    const repeated = qualityFigure(exact, rowsOf(stated), { seed: 1 })
    const naive = qualityFigure(exact, rowsOf(stated.map(({ value }) => ({ value }))), { seed: 1 })
    const width = ({ figure }: typeof naive) =>
      figure.status === "known" && (figure.high as number) - (figure.low as number)
    expect((width(repeated) as number) / (width(naive) as number)).toBeGreaterThan(1.2)
    expect(repeated.variance?.between).toBeGreaterThan(0.04)
    expect(repeated.variance?.within).toBeGreaterThan(0.1)
    expect(repeated.variance?.bestRepeats).toBe(1)
    expect(repeated.details).toEqual({ variance: repeated.variance })
  })
  it("bootstraps what is neither a mean nor a sum, the same for every order of the rows", () => {
    const median: AnyMetric = {
      ...exact,
      range: [0, 10],
      aggregation: { kind: "rows", resamples: 200 },
      summarise: (rows) => {
        const values = rows.map(({ row }) => row as number).sort((a, b) => a - b)
        return { value: values[Math.floor(values.length / 2)] ?? null, details: { n: values.length } }
      },
    }
    const stated = Array.from({ length: 50 }, (_, i) => ({ id: `s${i}`, value: (i * 37) % 50 }))
    const result = qualityFigure(median, rowsOf(stated), { seed: 1 })
    expect(result.figure).toMatchObject({
      status: "known",
      value: 25,
      method: expect.stringContaining("200 resamples"),
    })
    expect(result.details).toEqual({ n: 50 })
    expect(qualityFigure(median, rowsOf([...stated].reverse()), { seed: 1 })).toEqual(result)
  })
  it("takes the interval that a metric computes itself", () => {
    const own: AnyMetric = {
      ...exact,
      summarise: () => ({ value: 0.5, interval: { low: 0.1, high: 0.9, method: "its own" } }),
    }
    expect(qualityFigure(own, rowsOf(rates(4, 2)), { seed: 1 }).figure).toMatchObject({
      low: 0.1,
      high: 0.9,
      method: "its own",
    })
  })
  it("has no bounds, and says why, for one sample of a corpus metric", () => {
    const corpus: AnyMetric = { ...exact, aggregation: { kind: "rows" } }
    expect(qualityFigure(corpus, rowsOf(rates(1, 1)), { seed: 1 }).figure).toMatchObject({
      low: null,
      high: null,
      warning: "one sample gives no interval",
    })
  })
})
