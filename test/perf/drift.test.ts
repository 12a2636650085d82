import { describe, expect, it } from "vitest"
import { driftCheck } from "../../src/perf/drift.ts"

const block = (medianMs: number) => Float64Array.from({ length: 30 }, (_, i) => medianMs + (i - 14.5) * 0.1)

describe("the drift check", () => {
  it("fails when the last block is slower than the first beyond its noise", () => {
    expect(driftCheck([block(100), block(105), block(112)])).toMatchObject({ status: "failed" })
  })

  it("passes when blocks are alike, or differ by less than 5 %", () => {
    expect(driftCheck([block(100), block(100.05), block(100)])).toMatchObject({ status: "passed" })
    expect(driftCheck([block(100), block(104)])).toMatchObject({ status: "passed" })
  })

  it("compares the halves of a single block", () => {
    const slowing = Float64Array.from({ length: 60 }, (_, i) => 100 + ((i * 37) % 60) * 0.1 + (i >= 30 ? 20 : 0))
    expect(driftCheck([slowing])).toMatchObject({ status: "failed", message: expect.stringContaining("first half") })
    expect(driftCheck([slowing]).change).toBeCloseTo(0.195, 2)
    expect(driftCheck([slowing.subarray(0, 30)])).toMatchObject({ status: "passed" })
  })

  it("says nothing of parts that are too small", () => {
    const unknown = { status: "unknown", change: null }
    for (const blocks of [
      [],
      [[5]],
      [[1, 2, 8, 9]],
      [
        [1, 2],
        [8, 9],
      ],
    ])
      expect(driftCheck(blocks.map((block) => Float64Array.from(block)))).toMatchObject(unknown)
  })
})
