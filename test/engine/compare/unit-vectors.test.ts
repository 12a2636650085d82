import { describe, expect, it } from "vitest"
import type { Aggregation } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import { unitVectors } from "../../../src/engine/compare/unit-vectors.ts"
import { bootstrapVectors, type VectorRows } from "../../../src/stats/resampling/bootstrap-vectors.ts"
import { numberUnits } from "../../../src/stats/resampling/units.ts"

const aggregation: Extract<Aggregation<unknown>, { kind: "sum" }> = {
  kind: "sum",
  size: 2,
  vector: (row, into, offset) => into.set(row as readonly number[], offset),
  score: (sum) => (sum[0] as number) / (sum[1] as number),
}

const rowsOf = (rows: readonly (readonly number[])[]) => (i: number) => rows[i]

describe("unitVectors", () => {
  it("leaves few units as they are without batches", () => {
    const rows = rowsOf([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
    const units = numberUnits(["a", "b", "a"])
    const { data } = unitVectors(aggregation, rows, units, 2)
    expect([...data]).toEqual([6, 8, 3, 4])
    expect(data).toEqual(unitVectors(aggregation, rows, units).data)
  })

  it("adds units up, each into the batch of its number modulo the batches", () => {
    const rows = Array.from({ length: 7 }, (_, i) => [2 * i, 2 * i + 1])
    const units = { of: Int32Array.from(rows, (_, i) => i), count: 7 }
    const { data } = unitVectors(aggregation, rowsOf(rows), units, 3)
    expect([...data]).toEqual([0 + 6 + 12, 1 + 7 + 13, 2 + 8, 3 + 9, 4 + 10, 5 + 11])
  })

  it("keeps the spread of a bootstrapped ratio", () => {
    const random = createRandom("batches")
    const rows = Array.from({ length: 20_000 }, () => [random.next(), 1 + random.next()])
    const units = { of: Int32Array.from(rows, (_, i) => i), count: rows.length }
    const spread = (vectors: VectorRows) => {
      const values = bootstrapVectors(vectors, aggregation.score, 400, createRandom("draws"))
      const mean = values.reduce((a, b) => a + b) / values.length
      return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length)
    }
    const whole = spread(unitVectors(aggregation, rowsOf(rows), units))
    const batched = spread(unitVectors(aggregation, rowsOf(rows), units, 2000))
    expect(Math.abs(batched / whole - 1)).toBeLessThan(0.15)
  })
})
