import { describe, expect, it } from "vitest"
import { cascadeCurve, routerCurve } from "../../../src/analyse/frontier/router.ts"
import { runRouters } from "../../../src/analyse/frontier/run-routers.ts"
import { createRandom } from "../../../src/core/random.ts"
import { numberMetric, scoredVariant } from "../../support/scored.ts"

const metric = numberMetric("exact match")

/** A cheap variant that knows what it does not know: right above 0.4, wrong below. */
function pair(n = 400) {
  const random = createRandom("router")
  const confidence = Array.from({ length: n }, () => random.next())
  const cheap = scoredVariant(
    "cheap",
    "exact match",
    confidence.map((c) => ({ value: Number(c >= 0.4), facts: { confidence: c, costUsd: 1, e2eMs: 10 } })),
  )
  const strong = scoredVariant(
    "strong",
    "exact match",
    confidence.map((_, i) => ({ value: Number(i % 20 !== 0), facts: { costUsd: 5, e2eMs: 30 } })),
  )
  return { cheap, strong, confidence }
}

describe("routerCurve", () => {
  const { cheap, strong, confidence } = pair()
  const curve = routerCurve(cheap, strong, metric, { seed: 1 })
  it("begins with the cheap variant alone and ends with the strong one", () => {
    const first = curve?.points[0]
    const last = curve?.points.at(-1)
    expect(first).toMatchObject({ threshold: 0, costUsd: 1, e2eMs: 10, escalated: 0 })
    expect(first?.quality).toBeCloseTo(confidence.filter((c) => c >= 0.4).length / 400, 12)
    expect(last).toMatchObject({ quality: 0.95, costUsd: 6, e2eMs: 40, escalated: 1 })
  })
  it("pays for both answers of an escalated sample", () => {
    for (const { costUsd, escalated, e2eMs } of curve?.points ?? []) {
      expect(costUsd).toBeCloseTo(1 + 5 * escalated, 10)
      expect(e2eMs).toBeCloseTo(10 + 30 * escalated, 10)
    }
  })
  it("chooses the cheapest threshold that is shown to keep the margin", () => {
    const result = routerCurve(cheap, strong, metric, { seed: 1, margin: 0.05 })
    expect(result?.chosen?.threshold).toBeGreaterThan(0.3)
    expect(result?.chosen?.threshold).toBeLessThan(0.45)
    expect(result?.chosen?.low).toBeGreaterThan(-0.05)
    expect(result?.chosen?.difference).toBeCloseTo((result?.chosen?.quality as number) - 0.95, 12)
    expect(result?.alone).toEqual({ quality: 0.95, costUsd: 5, e2eMs: 30 })
    expect(result?.promise).toMatchObject({ margin: 0.05, alpha: 0.05, family: 1, samples: 400, isShown: true })
  })
  it("promises less where several cascades share the error rate", () => {
    const alone = routerCurve(cheap, strong, metric, { seed: 1, margin: 0.05 })
    const shared = routerCurve(cheap, strong, metric, { seed: 1, margin: 0.05, family: 10 })
    expect(shared?.chosen?.escalated).toBeGreaterThan(alone?.chosen?.escalated as number)
    expect(shared?.sentence).toContain("95 % interval for all 10 cascades together")
  })
  it("promises nothing from so few samples that nothing can be shown", () => {
    const few = pair(40)
    const result = routerCurve(few.cheap, few.strong, metric, { seed: 1, margin: 0.01 })
    expect(result?.chosen).toBeNull()
    expect(result?.sentence).toBe(
      "Asking cheap first and strong at low confidence: 40 paired answers cannot show for any threshold that this is not more than 1 point worse than strong alone (95 %).",
    )
  })
  it("is told as a sentence with its interval", () => {
    expect(routerCurve(cheap, strong, metric, { seed: 1, margin: 0.05 })?.sentence).toMatch(
      /^Asking cheap first and strong below a confidence of 0\.\d+ is not more than 5 points worse than strong alone: 9\d(\.\d)? % against 95 %, a difference between [−+][\d.]+ and \+[\d.]+ points \(95 % interval\), from 400 paired answers; it asks strong for [34]\d(\.\d)? % of the samples, at [56]\d(\.\d)? % of its cost\.$/,
    )
  })
  it("prices answers of a machine that is paid by the hour by their mean", () => {
    const bare = (variant: typeof cheap) => ({
      ...variant,
      answers: variant.answers.map((answer) => ({ ...answer, costUsd: null })),
    })
    const hourly = routerCurve(bare(cheap), bare(strong), metric, {
      seed: 1,
      margin: 0.05,
      meanCosts: new Map([
        ["cheap", { value: 1 }],
        ["strong", { value: 5 }],
      ]),
    })
    const priced = routerCurve(cheap, strong, metric, { seed: 1, margin: 0.05 })
    expect(hourly?.sentence).toBe(priced?.sentence)
    // What is saved must be more than the error of the two costs.
    const within = (share: number | null) =>
      routerCurve(bare(cheap), bare(strong), metric, {
        ...{ seed: 1, margin: 0.05 },
        meanCosts: new Map(
          [1, 5].map((value, i) => [
            i === 0 ? "cheap" : "strong",
            {
              value,
              low: share === null ? null : value * (1 - share),
              high: share === null ? null : value * (1 + share),
            },
          ]),
        ),
      })
    expect(within(0.1)?.chosen).toEqual(hourly?.chosen)
    for (const share of [0.9, null]) {
      expect(within(share)?.chosen).toBeNull()
      expect(within(share)?.sentence).toMatch(/is not shown to be cheaper/)
    }
    expect(routerCurve(bare(cheap), bare(strong), metric, { seed: 1, margin: 0.05 })?.chosen?.costUsd).toBeNull()
  })
  it("hands on an answer that failed, and counts it as the worst where it is kept", () => {
    const failing = scoredVariant(
      "cheap",
      "exact match",
      confidence.map((c, i) =>
        i < 40
          ? { value: null, facts: { outcome: "http_5xx" as const, confidence: null, costUsd: 1, e2eMs: 10 } }
          : { value: Number(c >= 0.4), facts: { confidence: c, costUsd: 1, e2eMs: 10 } },
      ),
    )
    const result = routerCurve(failing, strong, metric, { seed: 1, margin: 0.05 })
    const kept = confidence.slice(40).filter((c) => c >= 0.4).length
    expect(result?.promise?.samples).toBe(400)
    expect(result?.points[0]?.quality).toBeCloseTo(kept / 400, 12)
    expect(result?.points[1]?.escalated).toBeGreaterThanOrEqual(0.1)
  })
  it("chooses nothing when confidence says nothing", () => {
    const random = createRandom("noise")
    const blind = scoredVariant(
      "blind",
      "exact match",
      Array.from({ length: 400 }, (_, i) => ({ value: i % 2, facts: { confidence: random.next() } })),
    )
    const sure = scoredVariant(
      "sure",
      "exact match",
      Array.from({ length: 400 }, () => ({ value: 1 })),
    )
    expect(routerCurve(blind, sure, metric, { seed: 1 })?.chosen).toBeNull()
  })
  it("does not exist without confidences, and leaves unknown costs unknown", () => {
    const plain = scoredVariant(
      "plain",
      "exact match",
      Array.from({ length: 10 }, () => ({ value: 1 })),
    )
    expect(routerCurve(plain, plain, metric, { seed: 1 })).toBeNull()
    const confident = scoredVariant(
      "confident",
      "exact match",
      Array.from({ length: 10 }, () => ({ value: 1, facts: { confidence: 0.5 } })),
    )
    expect(routerCurve(confident, plain, metric, { seed: 1 })?.points[0]?.costUsd).toBeNull()
  })
})

describe("cascadeCurve", () => {
  it("keeps only cascades that no cheaper one matches", () => {
    const { cheap, strong, confidence } = pair()
    const middle = scoredVariant(
      "middle",
      "exact match",
      confidence.map((c, i) => ({
        value: Number(c >= 0.2 || i % 3 === 0),
        facts: { confidence: c, costUsd: 2, e2eMs: 15 },
      })),
    )
    const curve = cascadeCurve([cheap, middle, strong], metric, { seed: 1, margin: 0.05 })
    expect(curve?.stages).toEqual(["cheap", "middle", "strong"])
    const points = curve?.points ?? []
    expect(points.length).toBeGreaterThan(3)
    points.slice(1).forEach((point, i) => {
      expect(point.quality).toBeGreaterThan(points[i]?.quality as number)
      expect(point.costUsd as number).toBeGreaterThanOrEqual(points[i]?.costUsd as number)
      expect(point.thresholds).toHaveLength(2)
    })
    expect(curve?.chosen?.thresholds).toHaveLength(2)
    expect(curve?.chosen?.quality).toBeGreaterThan(0.93)
    expect(curve?.sentence).toMatch(
      /^Asking cheap, then middle, then strong below a confidence of [\d.]+ and [\d.]+ is not more than 5 points worse than strong alone: 9/,
    )
  })
})

describe("runRouters", () => {
  const { cheap, strong, confidence } = pair(200)
  const middle = scoredVariant(
    "middle",
    "exact match",
    confidence.map((c) => ({ value: Number(c >= 0.2), facts: { confidence: c, costUsd: 2, e2eMs: 15 } })),
  )
  const judge = numberMetric("judge", { range: [0, 1] })
  const judged = [strong, cheap, middle].map((variant) => {
    const rows = (variant.rows.get("exact match") ?? []).map((row) => ({
      ...row,
      measured: { status: "scored" as const, row: { kind: "panel", members: [] } },
    }))
    return { ...variant, rows: new Map([...variant.rows, ["judge", rows]]) }
  })
  const routers = runRouters({
    variants: judged,
    baseline: "strong",
    metrics: [metric, judge],
    quality: metric,
    seed: 1,
    margin: 0.05,
    alpha: 0.05,
  })
  const names = routers.map(({ kind = "cascade", stages }) => `${kind} ${stages.join(" ")}`)
  it("plays every cascade from cheaper to dearer, those that end in the baseline first, and those of three stages", () => {
    expect(names.slice(0, 4)).toEqual([
      "cascade cheap strong",
      "cascade middle strong",
      "cascade cheap middle",
      "cascade cheap middle strong",
    ])
  })
  it("plays every best-of by a judge of the run", () => {
    expect(names.slice(4)).toEqual([
      "best_of cheap middle strong",
      "best_of cheap middle",
      "best_of cheap strong",
      "best_of middle strong",
    ])
    // The judge of this test knows the truth: a best-of is at least as good as each of its variants.
    expect(routers[4]?.points[0]?.quality).toBeGreaterThanOrEqual(0.95)
  })
  it("has nothing to play with one variant", () => {
    const options = { variants: [cheap], baseline: "cheap", metrics: [metric], quality: metric }
    expect(runRouters({ ...options, seed: 1, margin: 0.05, alpha: 0.05 })).toEqual([])
  })
})
