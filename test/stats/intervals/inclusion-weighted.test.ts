import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { inclusionWeightedMean } from "../../../src/stats/intervals/inclusion-weighted.ts"
import { predictionPoweredMean } from "../../../src/stats/intervals/prediction-powered.ts"

/** 600 answers; people like 85 % of what the judge likes and 35 % of the rest; what it dislikes is labelled 8 times as often. */
const world = (seed: string) => {
  const random = createRandom(seed)
  return Array.from({ length: 600 }, () => {
    const judge = Number(random.next() < 0.6)
    const liked = Number(random.next() < (judge === 1 ? 0.85 : 0.35))
    const probability = judge === 1 ? 0.05 : 0.4
    return { judge, human: random.next() < probability ? liked : null, probability }
  })
}
const truth = 0.6 * 0.85 + 0.4 * 0.35

const simulate = (estimate: (items: ReturnType<typeof world>) => ReturnType<typeof predictionPoweredMean>) => {
  const means = Array.from({ length: 1_000 }, (_, i) => estimate(world(`inclusion/${i}`)))
  const covered = means.filter((mean) => mean && (mean.low ?? 0) <= truth && truth <= (mean.high ?? 1)).length
  const bias = means.reduce((sum, mean) => sum + (mean?.value ?? Number.NaN) - truth, 0) / means.length
  return { coverage: covered / means.length, bias }
}

describe("inclusionWeightedMean", () => {
  it("covers the truth in 93 to 97 % where labels were chosen by the judge's answer", () => {
    const { coverage, bias } = simulate((items) => inclusionWeightedMean(items))
    expect(Math.abs(bias)).toBeLessThan(0.01)
    expect(coverage).toBeGreaterThanOrEqual(0.93)
    expect(coverage).toBeLessThanOrEqual(0.975)
  })
  it("is needed: equal weights miss the truth by over 9 points", () => {
    const { coverage, bias } = simulate((items) => predictionPoweredMean(items))
    expect(Math.abs(bias)).toBeGreaterThan(0.09)
    expect(coverage).toBeLessThan(0.6)
  })
  it("is the mean of the labels when every item was sure to get one", () => {
    const items = [1, 0, 1, 1, 0, 1].map((human, i) => ({ human, judge: i % 2, probability: 1 }))
    expect(inclusionWeightedMean(items)?.value).toBeCloseTo(4 / 6, 12)
  })
  it("is Hájek's weighted mean of the labels with lambda 0", () => {
    const items = [
      { judge: 1, human: 1, probability: 0.5 },
      { judge: 1, human: 0, probability: 0.25 },
      { judge: 0, human: 1, probability: 1 },
      { judge: 0, human: null, probability: 0.5 },
    ]
    expect(inclusionWeightedMean(items, 0.05, 0)?.value).toBeCloseTo((2 * 1 + 4 * 0 + 1 * 1) / 7, 12)
  })
  it("is null without a label and refuses a probability of 0", () => {
    expect(inclusionWeightedMean([{ judge: 1, human: null, probability: 0.5 }])).toBeNull()
    expect(() => inclusionWeightedMean([{ judge: 1, human: 1, probability: 0 }])).toThrow(/not at 0/)
  })
})
