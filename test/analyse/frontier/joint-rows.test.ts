import { expect, it } from "vitest"
import { jointRows } from "../../../src/analyse/frontier/joint-rows.ts"
import type { AnswerFacts, ScoredVariant } from "../../../src/core/metric/scored-variant.ts"
import { factsBehind } from "../../../src/rows/columns/fact-columns.ts"

type Key = readonly [sampleId: string, cluster?: string]
const variant = (name: string, keys: readonly Key[]): ScoredVariant => ({
  name,
  rows: new Map(),
  answers: keys.map(
    ([sampleId, cluster]) =>
      ({ sampleId, repeat: 0, outcome: "ok", source: "measured", ...(cluster && { cluster }) }) as AnswerFacts,
  ),
})
const positionsOf = (variants: readonly ScoredVariant[]) => {
  const rows = jointRows(variants)
  return { ...rows, of: variants.map(({ answers }) => [...rows.positions(factsBehind(answers).answers)]) }
}

it("finds the answers of all variants in the order of samples, whichever variant has them all", () => {
  const [whole, part, mixed] = [
    variant("whole", [["a"], ["b"], ["c"]]),
    variant("part", [["b"]]),
    variant("mixed", [["c"], ["a"], ["b"]]),
  ]
  expect(positionsOf([whole, part, mixed])).toMatchObject({ size: 3, of: [[0, 1, 2], [1], [2, 0, 1]] })
  expect(positionsOf([part, mixed, whole])).toMatchObject({ size: 3, of: [[1], [2, 0, 1], [0, 1, 2]] })
  expect(positionsOf([part, variant("other", [["a"], ["d"]])])).toMatchObject({ size: 3, of: [[1], [0, 2]] })
})

it("takes the clusters that any variant says", () => {
  const plain = variant("plain", [["a"], ["b"], ["c"]])
  const clustered = variant("clustered", [
    ["a", "x"],
    ["c", "x"],
  ])
  for (const order of [
    [plain, clustered],
    [clustered, plain],
  ]) {
    const { clusters } = jointRows(order)
    expect(clusters[0]).toBe(clusters[2])
    expect(clusters[1]).not.toBe(clusters[0])
  }
})
