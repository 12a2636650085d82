import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addRows } from "../../../src/stats/resampling/add-rows.ts"
import { packRows } from "../../../src/stats/resampling/packed-rows.ts"

/** The sum of the rows at these indices, through packed rows; null where they cannot be packed. */
function packedSum(data: Float64Array, size: number, indices: Int32Array, most: number): Float64Array | null {
  const packed = packRows({ data, size }, most)
  if (!packed) return null
  const sum = new Float64Array(packed.size)
  addRows(packed, indices, sum, 0)
  const into = new Float64Array(size + 1)
  packed.unpack(sum, 0, indices.length, into, 1)
  return into.subarray(1)
}

function plainSum(data: Float64Array, size: number, indices: Int32Array): Float64Array {
  const sum = new Float64Array(size)
  addRows({ data, size }, indices, sum, 0)
  return sum
}

describe("packRows", () => {
  it("gives the sums of the rows themselves, to the last digit", () => {
    const columns = fc.array(
      fc.record({ least: fc.integer({ min: -1e9, max: 1e9 }), span: fc.nat({ max: 2 ** 30 }) }),
      {
        minLength: 2,
        maxLength: 20,
      },
    )
    let packedOnce = 0
    fc.assert(
      fc.property(
        columns,
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1 })),
        (made, rows, stream) => {
          const next = () => Number(stream.next().value)
          const size = made.length
          const data = Float64Array.from({ length: rows * size }, (_, at) => {
            const { least, span } = made[at % size]!
            return least + Math.floor(next() * span)
          })
          const indices = Int32Array.from({ length: rows }, () => Math.min(rows - 1, Math.floor(next() * rows)))
          const sum = packedSum(data, size, indices, rows)
          if (!sum) return
          packedOnce++
          expect(sum).toEqual(plainSum(data, size, indices))
        },
      ),
      { seed: 7, numRuns: 500 },
    )
    expect(packedOnce).toBeGreaterThan(100)
  })

  it("holds sums that reach the most that a column allows", () => {
    const data = Float64Array.from([7, 1, 0, 7, 1, 5])
    const always = new Int32Array(8).fill(0)
    expect(packedSum(data, 3, always, 8)).toEqual(Float64Array.from([56, 8, 0]))
  })

  it("leaves rows alone whose values are no whole numbers, too large, or too few to share a number", () => {
    expect(packRows({ data: Float64Array.from([1, 0.5, 2, 3]), size: 2 }, 2)).toBeNull()
    expect(packRows({ data: Float64Array.from([1, Number.NaN]), size: 2 }, 2)).toBeNull()
    expect(packRows({ data: Float64Array.from([0, 0, 2 ** 52, 2 ** 52]), size: 2 }, 2)).toBeNull()
    expect(packRows({ data: Float64Array.from([1, 2, 3]), size: 1 }, 3)).toBeNull()
    expect(packRows({ data: new Float64Array(0), size: 2 }, 0)).toBeNull()
  })
})
