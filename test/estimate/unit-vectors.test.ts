import { describe, expect, it } from "vitest"
import type { Aggregation } from "../../src/core/metric/metric.ts"
import { unitVectors } from "../../src/estimate/unit-vectors.ts"
import { numberUnits } from "../../src/stats/resampling/units.ts"

const aggregation: Extract<Aggregation<unknown>, { kind: "sum" }> = {
  kind: "sum",
  size: 2,
  vector: (row, into, offset) => into.set(row as readonly number[], offset),
  score: (sum) => (sum[0] as number) / (sum[1] as number),
}

const rowsOf = (rows: readonly (readonly number[])[]) => (i: number) => rows[i]

describe("unitVectors", () => {
  it("adds up the rows of each unit", () => {
    const rows = rowsOf([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
    const units = numberUnits(["a", "b", "a"])
    expect([...unitVectors(aggregation, rows, units).data]).toEqual([6, 8, 3, 4])
  })
})
