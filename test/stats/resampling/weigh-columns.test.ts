import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import {
  resampleCounts,
  sortedPositions,
  weightedMean,
  weightedQuantile,
} from "../../../src/stats/resampling/resample-counts.ts"
import { weighColumns } from "../../../src/stats/resampling/weigh-columns.ts"

const n = 9000
const random = createRandom("columns")
const column = () => Float64Array.from({ length: n }, () => random.normal())
const withGaps = column().map((value, i) => (i % 7 === 0 ? Number.NaN : value))
const means = [column(), withGaps, column()]
const quantiles = [column(), withGaps].map((values) => ({ values, order: sortedPositions(values), q: 0.95 }))
const clusters = Int32Array.from({ length: n }, (_, i) => Math.floor(i / 3))

describe("weighColumns", () => {
  it.each([
    ["samples", undefined],
    ["clusters", clusters],
  ])("gives the means and quantiles of resampled %s, for any number of threads", (_, units) => {
    const draws = 117
    const expected: number[] = []
    resampleCounts(
      n,
      draws,
      createRandom("draws"),
      units,
    )((counts) => {
      for (const values of means) expected.push(weightedMean(values, counts))
      for (const { values, order, q } of quantiles) expected.push(weightedQuantile(values, order, counts, q))
    })
    for (const threads of [1, 2, 3]) {
      const result = weighColumns({ means, quantiles, n, units, draws, random: createRandom("draws") }, threads)
      expect([...result]).toEqual(expected)
    }
  })
})
