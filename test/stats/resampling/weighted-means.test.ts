import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import {
  resampleCounts,
  sortedPositions,
  weightedMean,
  weightedQuantile,
} from "../../../src/stats/resampling/resample-counts.ts"
import { weightedMeans } from "../../../src/stats/resampling/weighted-means.ts"

const n = 101
const random = createRandom("weighted")
const column = (gaps: boolean) =>
  Float64Array.from({ length: n }, (_, i) => (gaps && i % 7 === 0 ? Number.NaN : Math.round(20 * random.normal()) / 3))
const columns = [false, true, false, false, false, false, true].map(column)

/** Counts of some resamples. */
function drawn(clusters?: Int32Array): Uint16Array[] {
  const all: Uint16Array[] = []
  resampleCounts(n, 40, createRandom("counts"), clusters)((counts) => all.push(counts.slice()))
  return all
}

describe("weightedMeans", () => {
  it("gives each column's weighted mean, to the last digit", () => {
    const means = weightedMeans(columns)
    const into = new Float64Array(columns.length)
    for (const counts of [...drawn(), new Uint16Array(n)]) {
      means(counts, into)
      expect([...into]).toEqual(columns.map((entry) => weightedMean(entry, counts)))
    }
  })
})

describe("weightedQuantile", () => {
  it("is the quantile of the values, each as often as it was drawn", () => {
    for (const values of columns)
      for (const counts of drawn()) {
        const all = [...values].flatMap((value, i) => (Number.isNaN(value) ? [] : Array(counts[i]).fill(value)))
        all.sort((a, b) => a - b)
        for (const q of [0, 0.05, 0.5, 0.95, 0.99, 1]) {
          const [low, share] = [Math.floor((all.length - 1) * q), ((all.length - 1) * q) % 1]
          const expected = share === 0 ? all[low] : all[low] + share * (all[low + 1] - all[low])
          expect(weightedQuantile(values, sortedPositions(values), counts, q)).toBeCloseTo(expected, 12)
        }
      }
  })

  it("has no value where nothing was drawn", () => {
    const values = columns[0] as Float64Array
    expect(weightedQuantile(values, sortedPositions(values), new Uint16Array(n), 0.5)).toBeNaN()
  })
})

describe("resampleCounts", () => {
  it("draws the same where every value is a unit of its own as without units", () => {
    expect(drawn(Int32Array.from({ length: n }, (_, i) => i))).toEqual(drawn())
  })

  it("draws the values of a unit together", () => {
    for (const counts of drawn(Int32Array.from({ length: n }, (_, i) => i >> 1)))
      for (let i = 0; i + 1 < n; i += 2) expect(counts[i]).toBe(counts[i + 1])
  })
})
