import { describe, expect, it } from "vitest"
import { recreateMetric } from "../../metrics/recreate.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import * as catalogue from "../../src/metrics.ts"

/** Options without which a metric cannot be made. */
const needed: Readonly<Record<string, object>> = {
  classification: { labels: ["a", "b"], figure: "recall", of: "b" },
  passAtK: { k: 2, threshold: 0.5 },
  passHatK: { k: 2 },
  demographicParity: { by: ["group", "age"], small: "leaveOut", minimumGroup: 3 },
  groupAccuracy: { of: "tokenF1", as: "worst" },
  expectedCalibrationError: { bins: 7, scheme: "mass" },
  bleu: { maxOrder: 3 },
}

/** What is not made from options, or compares pairs of variants. */
const others = new Set(["divergence", "custom", "detectorMetric"])

/** Metrics whose figure is no mean of single answers, from every function that the package exports. */
function setMetrics(): [string, AnyMetric][] {
  return Object.entries(catalogue as Readonly<Record<string, unknown>>).flatMap(([name, make]) => {
    if (typeof make !== "function" || others.has(name)) return []
    try {
      const metric = make({ ...needed[name] }) as AnyMetric | Promise<unknown> | undefined
      if (metric instanceof Promise) metric.catch(() => {})
      const isMetric = typeof metric === "object" && metric !== null && "aggregation" in metric && "measure" in metric
      return isMetric && metric.aggregation.kind !== "mean" ? [[name, metric]] : []
    } catch {
      return [] // a function of another kind, or a metric that needs a model
    }
  })
}

describe("a stored run without its config", () => {
  const result = setMetrics()

  it("is tried with every metric of the catalogue over sets of answers", () => {
    expect(result.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(needed)))
    expect(result.length).toBeGreaterThan(25)
  })

  it.each(result)("makes %s again from what it keeps", (_, metric) => {
    const { recipe } = metric
    const kept = JSON.parse(JSON.stringify({ name: "mine", signature: metric.signature, recipe })) as never
    const second = recreateMetric(kept)
    expect(second).toMatchObject({
      name: "mine",
      signature: metric.signature,
      direction: metric.direction,
      aggregation: { kind: metric.aggregation.kind },
    })
  })

  it("keeps the title that people read", () => {
    const metric = catalogue.groupAccuracy()
    expect(metric.title).toBe("group accuracy gap")
    expect(recreateMetric(JSON.parse(JSON.stringify(metric)))?.title).toBe(metric.title)
  })

  it("does not make one again that a function of the config decides", () => {
    const metric = catalogue.expectedCalibrationError({ confidence: () => 0.5 })
    expect(recreateMetric(metric)).toBeNull()
    const own = catalogue.semanticEntropy({ equivalent: () => true, identity: "all one" })
    expect(recreateMetric(own)).toBeNull()
    expect(recreateMetric({ name: "x", signature: "x", recipe: { metric: "constructor", options: {} } })).toBeNull()
  })
})
