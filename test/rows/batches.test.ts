import { describe, expect, it } from "vitest"
import type { Aggregation } from "../../src/core/metric/metric.ts"
import { createRandom } from "../../src/core/random.ts"
import { unitVectors } from "../../src/estimate/unit-vectors.ts"
import { batchesText, inBatches, maxBatches } from "../../src/rows/batches.ts"
import { bootstrapVectors } from "../../src/stats/resampling/bootstrap-vectors.ts"

const ratio: Extract<Aggregation<unknown>, { kind: "sum" }> = {
  kind: "sum",
  size: 2,
  vector: (row, into, offset) => into.set(row as readonly number[], offset),
  score: (sum) => (sum[0] as number) / (sum[1] as number),
}

const own = (count: number) => ({ of: Int32Array.from({ length: count }, (_, i) => i), count })

/** Standard deviation of a ratio over resamples of these rows, or of their batches. */
function spread(rows: readonly (readonly number[])[], units: { of: Int32Array; count: number }): number {
  const vectors = unitVectors(ratio, (i) => rows[i], units)
  const values = bootstrapVectors(vectors, ratio.score, 1000, createRandom("draws"))
  const mean = values.reduce((a, b) => a + b) / values.length
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length)
}

describe("batches", () => {
  it("are the units themselves where these are few", () => {
    const units = own(maxBatches)
    expect(inBatches(units, "seed")).toBe(units)
    expect(batchesText(units)).toBe("")
  })

  it("differ by one unit at most, hold the rows of a unit together, and are drawn by the seed", () => {
    const units = { of: Int32Array.from({ length: 12_000 }, (_, i) => i >> 1), count: 6000 }
    const { of, count } = inBatches(units, "seed")
    expect(count).toBe(maxBatches)
    const sizes = new Map<number, number>()
    for (let i = 0; i < of.length; i += 2) {
      expect(of[i]).toBe(of[i + 1])
      sizes.set(of[i] as number, (sizes.get(of[i] as number) ?? 0) + 1)
    }
    expect(sizes.size).toBe(count)
    expect(new Set(sizes.values())).toEqual(new Set([2, 3]))
    expect(inBatches(units, "seed").of).toEqual(of)
    expect(inBatches(units, "another").of).not.toEqual(of)
    expect(batchesText(units)).toBe(` in ${maxBatches} random batches`)
  })

  it.each([
    ["in no order", (i: number, random: number) => [random, 1 + ((i * 0.618) % 1)]],
    ["in turns of an easy and a hard one", (i: number, random: number) => [(i % 2) + 0.1 * random, 1]],
    [
      "in turns of as many kinds as there are batches",
      (i: number, random: number) => [((i % maxBatches) * 7919) % 1000 < 500 ? random : 1 + random, 1],
    ],
    [
      "of which one in a thousand is far off",
      (i: number, random: number) => [i % 1000 === 7 ? 500 * random : random, 1],
    ],
  ])("keep the spread of samples %s", (_, row) => {
    const random = createRandom("rows")
    const rows = Array.from({ length: 20_000 }, (_, i) => row(i, random.next()))
    const units = own(rows.length)
    expect(Math.abs(spread(rows, inBatches(units, "seed")) / spread(rows, units) - 1)).toBeLessThan(0.1)
  })
})
