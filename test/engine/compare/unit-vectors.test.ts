import { describe, expect, it } from "vitest"
import type { Aggregation, RowEntry } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import { batchVectors, unitVectors } from "../../../src/engine/compare/unit-vectors.ts"
import { bootstrapVectors, type VectorRows } from "../../../src/stats/resampling/bootstrap-vectors.ts"
import { groupUnits, numberUnits } from "../../../src/stats/resampling/units.ts"

const aggregation: Extract<Aggregation<unknown>, { kind: "sum" }> = {
  kind: "sum",
  size: 2,
  vector: (row, into, offset) => into.set(row as readonly number[], offset),
  score: (sum) => (sum[0] as number) / (sum[1] as number),
}

const entriesOf = (rows: readonly (readonly number[])[]): RowEntry<unknown>[] =>
  rows.map((row, i) => ({ row, sampleId: `s${i}`, repeat: 0 }))

describe("batchVectors", () => {
  it("leaves few units as unitVectors has them", () => {
    const entries = entriesOf([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
    const keys = ["a", "b", "a"]
    const { data } = batchVectors(aggregation, entries, numberUnits(keys), 2)
    expect([...data]).toEqual([6, 8, 3, 4])
    expect(data).toEqual(unitVectors(aggregation, entries, groupUnits([0, 0, 0], keys)).data)
  })

  it("adds units up, each into the batch of its number modulo the batches", () => {
    const rows = Array.from({ length: 7 }, (_, i) => [2 * i, 2 * i + 1])
    const units = { of: Int32Array.from(rows, (_, i) => i), count: 7 }
    const { data } = batchVectors(aggregation, entriesOf(rows), units, 3)
    expect([...data]).toEqual([0 + 6 + 12, 1 + 7 + 13, 2 + 8, 3 + 9, 4 + 10, 5 + 11])
  })

  it("keeps the spread of a bootstrapped ratio", () => {
    const random = createRandom("batches")
    const entries = entriesOf(Array.from({ length: 20_000 }, () => [random.next(), 1 + random.next()]))
    const units = { of: Int32Array.from(entries, (_, i) => i), count: entries.length }
    const spread = (rows: VectorRows) => {
      const values = bootstrapVectors(rows, aggregation.score, 400, createRandom("draws"))
      const mean = values.reduce((a, b) => a + b) / values.length
      return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length)
    }
    const whole = spread(batchVectors(aggregation, entries, units, entries.length))
    const batched = spread(batchVectors(aggregation, entries, units, 2000))
    expect(Math.abs(batched / whole - 1)).toBeLessThan(0.15)
  })
})
