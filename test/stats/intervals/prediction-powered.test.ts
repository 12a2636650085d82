import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { predictionPoweredMean } from "../../../src/stats/intervals/prediction-powered.ts"

/** So many items, of which people judged the first few: right with probability `right`, the judge agrees in 90 %. */
function itemsOf(right: number, labelled: number, seed: string) {
  const random = createRandom(seed)
  return Array.from({ length: 400 }, (_, i) => {
    const label = Number(random.next() < right)
    return { judge: random.next() < 0.9 ? label : 1 - label, human: i < labelled ? label : null }
  })
}

describe("predictionPoweredMean where labels hardly vary", () => {
  it.each([
    [0.9, 10],
    [0.95, 20],
    [0.95, 50],
    [0.98, 100],
  ])("covers the truth %f from %i labels", (right, labelled) => {
    const worlds = 200
    let covered = 0
    for (let world = 0; world < worlds; world++) {
      const mean = predictionPoweredMean(itemsOf(right, labelled, `${right}/${labelled}/${world}`))
      covered += Number((mean?.low ?? 1) <= right && right <= (mean?.high ?? 0))
    }
    // 95 % less three standard errors of 200 worlds
    expect(covered / worlds).toBeGreaterThan(0.9)
  })

  it("says of 20 labels that are all alike what 20 labels can show", () => {
    const items = itemsOf(1, 20, "alike")
    expect(predictionPoweredMean(items)).toMatchObject({ low: expect.closeTo(0.025 ** (1 / 20), 6) })
  })

  it("has no interval where nothing that was seen varies", () => {
    const items = Array.from({ length: 50 }, (_, i) => ({ judge: 1, human: i < 20 ? 1 : null }))
    expect(predictionPoweredMean(items)).toMatchObject({ value: 1, low: null, high: null })
  })
})
