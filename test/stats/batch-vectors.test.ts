import { describe, expect, it } from "vitest"
import { createRandom } from "../../src/core/random.ts"
import { batchVectors } from "../../src/stats/batch-vectors.ts"
import { bootstrapVectors } from "../../src/stats/bootstrap-vectors.ts"

describe("batchVectors", () => {
  it("leaves few rows as they are", () => {
    const rows = { data: new Float64Array([1, 2, 3, 4]), size: 2 }
    expect(batchVectors(rows, 2)).toBe(rows)
  })

  it("adds rows up and loses nothing", () => {
    const rows = { data: Float64Array.from({ length: 21 }, (_, i) => i), size: 3 }
    const { data, size } = batchVectors(rows, 2)
    expect([...data]).toEqual([0 + 6 + 12 + 18, 1 + 7 + 13 + 19, 2 + 8 + 14 + 20, 3 + 9 + 15, 4 + 10 + 16, 5 + 11 + 17])
    expect(size).toBe(3)
  })

  it("keeps the spread of a bootstrapped ratio", () => {
    const random = createRandom("batches")
    const data = new Float64Array(2 * 20_000)
    for (let i = 0; i < 20_000; i++) {
      data[2 * i] = random.next()
      data[2 * i + 1] = 1 + random.next()
    }
    const ratio = (sum: Float64Array) => (sum[0] as number) / (sum[1] as number)
    const spread = (rows: { data: Float64Array; size: number }) => {
      const values = bootstrapVectors(rows, ratio, 400, createRandom("draws"))
      const mean = values.reduce((a, b) => a + b) / values.length
      return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length)
    }
    const whole = spread({ data, size: 2 })
    const batched = spread(batchVectors({ data, size: 2 }, 2000))
    expect(Math.abs(batched / whole - 1)).toBeLessThan(0.15)
  })
})
