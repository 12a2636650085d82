import { describe, expect, it } from "vitest"
import { recreateMetric } from "../../metrics/recreate.ts"
import { makeTextMetric } from "../../metrics/text-metrics.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import { textMeasureOf } from "../../src/core/metric/text-measure.ts"
import * as all from "../../src/metrics.ts"

/** Every public metric that can be made without options, by the name of its function. */
const made = Object.entries(all).flatMap(([name, make]): readonly (readonly [string, AnyMetric])[] => {
  try {
    const metric: unknown = (make as unknown as () => unknown)()
    // Measures of a list, not metrics, are asynchronous, and miss their list.
    if (metric instanceof Promise) metric.catch(() => {})
    return typeof metric === "object" && metric !== null && "summarise" in metric ? [[name, metric as AnyMetric]] : []
  } catch {
    return []
  }
})

describe("a public metric", () => {
  it("that measures texts alone is made again in the threads that score", () => {
    const texts = made.flatMap(([name, metric]) => {
      const recipe = textMeasureOf(metric)
      return recipe ? [[name, metric, recipe] as const] : []
    })
    expect(texts.length).toBeGreaterThan(8)
    for (const [name, metric, recipe] of texts)
      expect(makeTextMetric(recipe).signature, `${name}: add it to metrics/text-metrics.ts`).toBe(metric.signature)
  })

  it("that keeps a recipe with its rows is made again from a stored run", () => {
    const kept = made.filter(([, { recipe, aggregation }]) => recipe && aggregation.kind !== "mean")
    expect(kept.length).toBeGreaterThan(10)
    for (const [name, metric] of kept) {
      const { recipe, signature } = metric
      const second = recreateMetric({ name: metric.name, signature, ...(recipe && { recipe }) })
      expect(second, `${name}: add it to metrics/recreate.ts`).not.toBeNull()
    }
  })
})
