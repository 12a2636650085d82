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

  it("says nothing of one block or of blocks that are too small", () => {
    expect(driftCheck([block(100)])).toMatchObject({ status: "unknown" })
    expect(driftCheck([Float64Array.from([1, 2]), Float64Array.from([8, 9])])).toMatchObject({ status: "unknown" })
  })
})
