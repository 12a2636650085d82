import { describe, expect, it } from "vitest"
import { type KnownValues, metricAdvice } from "../../../src/analyse/decide/metric-advice.ts"
import { createRandom } from "../../../src/core/random.ts"

const random = createRandom("advice")
const base = Array.from({ length: 200 }, () => random.next())

function table(metric: string, value: (x: number, i: number, variant: number) => number, variants = 2): KnownValues {
  return {
    metric,
    variants: new Map(
      Array.from({ length: variants }, (_, v) => [`v${v}`, new Map(base.map((x, i) => [`s${i}`, value(x, i, v)]))]),
    ),
  }
}

describe("metricAdvice", () => {
  it("says nothing of few metrics that differ", () => {
    expect(metricAdvice(["a"], [table("a", (x) => x), table("b", () => random.next())], "run 1")).toEqual([])
  })
  it("names two that rank answers alike, and two that rank them in opposite order", () => {
    const values = [table("a", (x) => x), table("b", (x) => Math.exp(x)), table("c", (x) => -x)]
    const advices = metricAdvice(["a", "b"], values, "run 1")
    expect(advices.map(({ metrics }) => metrics)).toEqual([
      ["a", "b"],
      ["a", "c"],
      ["b", "c"],
    ])
    expect(advices[0]?.sentence).toBe(
      "a and b rank the 200 answers of run 1 alike (Spearman 1). Both decide: one of them is enough.",
    )
    expect(advices[1]?.sentence).toContain("in opposite order (Spearman −1)")
  })
  it("takes the variant in which they differ most: two that part for one variant are not redundant", () => {
    const values = [table("a", (x) => x), table("b", (x, i, variant) => (variant === 0 ? x : ((i * 7919) % 200) / 200))]
    expect(metricAdvice(["a"], values, "run 1")).toEqual([])
  })
  it("names two that rank variants alike, from six variants on", () => {
    const noisy = (level: number) => (_x: number, i: number, variant: number) => variant + ((i * level) % 200) / 1000
    const of = (variants: number) => [table("a", noisy(7919), variants), table("b", noisy(4729), variants)]
    expect(metricAdvice(["a"], of(5), "2 earlier runs")).toEqual([])
    expect(metricAdvice(["a"], of(6), "2 earlier runs")[0]?.sentence).toContain(
      "rank the 6 variants of 2 earlier runs alike",
    )
  })
  it("says that more than five decide, and that one that never varied cannot", () => {
    const primary = ["a", "b", "c", "d", "e", "f"]
    const advices = metricAdvice(primary, [table("a", () => 1)], "run 1")
    expect(advices.map(({ kind }) => kind)).toEqual(["many_deciding", "constant"])
    expect(advices[0]?.sentence).toContain("6 metrics decide")
    expect(advices[1]?.sentence).toContain("gave each of 400 answers of run 1 the same value")
  })
})
