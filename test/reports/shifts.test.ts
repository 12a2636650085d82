import { describe, expect, it } from "vitest"
import { shiftLinesOf } from "../../reports/wording/shifts.ts"
import type { Comparison, MetricComparison } from "../../src/core/report/comparison.ts"

const metrics = [
  { name: "exactMatch", unit: null, range: [0, 1] },
  { name: "tone", unit: null, range: [0, 1] },
  { name: "toxicity", unit: null, range: [0, 1] },
  { name: "lengthWords", title: "words", unit: "words", range: [0, null] },
] as const

const finding = (metric: string, over: Partial<MetricComparison> = {}) =>
  ({
    ...{ metric, direction: "higher", primary: false, difference: -0.135, pAdjusted: 0.001 },
    verdict: "inconclusive",
    ...over,
  }) as MetricComparison

const lines = (comparisons: readonly MetricComparison[], over: Partial<Comparison> = {}, alpha?: number) =>
  shiftLinesOf(
    { candidate: "new", basis: "worse", metrics: comparisons, changes: [], ...over } as unknown as Comparison,
    metrics,
    alpha,
  ).map(({ way, text }) => `${way}: ${text}`)

describe("what else moved", () => {
  it.each([
    ["a loss beyond chance", finding("tone"), ["worse: tone −13.5 points"]],
    ["the direction of the metric", finding("toxicity", { direction: "lower" }), ["better: toxicity −13.5 points"]],
    ["a metric's own unit and title", finding("lengthWords", { difference: -12 }), ["worse: words −12 words"]],
    ["a gain", finding("tone", { difference: 0.05 }), ["better: tone +5 points"]],
    ["no metric that decides: the sentence says it", finding("exactMatch", { primary: true }), []],
    ["nothing that may be chance", finding("tone", { pAdjusted: 0.06 }), []],
    ["nothing that was not tested", finding("tone", { pAdjusted: null }), []],
    ["no loss that the metric's own margin allows", finding("tone", { verdict: "non_inferior" }), []],
  ])("says %s", (_, comparison, expected) => {
    expect(lines([comparison])).toEqual(expected)
  })

  it("names the clearest first, and counts what it does not name", () => {
    const many = Array.from({ length: 8 }, (_, i) => finding(`m${i}`, { pAdjusted: 0.04 - i / 1000 }))
    expect(lines(many)).toEqual([expect.stringMatching(/^worse: m7 .*m2 −0.14 and 2 more$/)])
  })

  it("says changes of cost and time that are large enough, unless the verdict's sentence does", () => {
    const changes = [
      { figure: "costUsd", share: -0.5, isMaterial: true, text: "50 % cheaper" },
      { figure: "e2eMs", share: 0.2, isMaterial: true, text: "20 % slower" },
      { figure: "ttftMs", share: 0.01, isMaterial: false, text: "1 % later to the first token" },
    ] as unknown as Comparison["changes"]
    expect(lines([finding("tone")], { changes })).toEqual([
      "worse: tone −13.5 points and 20 % slower",
      "better: 50 % cheaper",
    ])
    expect(lines([], { changes, basis: "gain" })).toEqual([])
  })

  it("says a p99 that is proven to change where the times as a whole do not", () => {
    const change = { figure: "e2eMs", share: -0.01, isMaterial: false, text: "1 % faster (p99 3 times as slow)" }
    const changes = (isProven: boolean) =>
      [{ ...change, tail: { share: 2, isProven } }] as unknown as Comparison["changes"]
    expect(lines([], { changes: changes(true) })).toEqual(["worse: p99 3 times as slow"])
    expect(lines([], { changes: changes(true), basis: "gain" })).toEqual(["worse: p99 3 times as slow"])
    expect(lines([], { changes: changes(false) })).toEqual([])
  })
})
