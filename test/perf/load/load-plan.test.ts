import { describe, expect, it } from "vitest"
import { inBlocks, offeredRate } from "../../../src/perf/load/load-plan.ts"

describe("a load plan", () => {
  it("is split into blocks that add up to it", () => {
    const closed = inBlocks({ kind: "closed", concurrency: 8, requests: 10, durationMs: 900 }, 3)
    expect(closed.map((part) => part.kind === "closed" && [part.requests, part.durationMs])).toEqual([
      [4, 300],
      [3, 300],
      [3, 300],
    ])
    const open = inBlocks({ kind: "open", arrivals: Float64Array.from([0, 10, 30, 60, 100]), description: "" }, 2)
    expect(open.map((part) => part.kind === "open" && [...part.arrivals])).toEqual([
      [0, 10, 30],
      [0, 40],
    ])
  })

  it("leaves out blocks without a request", () => {
    expect(inBlocks({ kind: "closed", concurrency: 8, requests: 2 }, 3)).toHaveLength(2)
  })

  it("knows the rate that its arrivals offer", () => {
    expect(offeredRate(Float64Array.from([0, 100, 200]))).toBe(10)
    expect(offeredRate(Float64Array.from([0]))).toBeNull()
  })
})
