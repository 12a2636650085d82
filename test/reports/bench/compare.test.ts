import { describe, expect, it } from "vitest"
import { compareBenches, compareText } from "../../../reports/bench/compare.ts"

function level(variant: string, concurrency: number, p50: number, interval: readonly [number | null, number | null]) {
  const figure = { p50 }
  return {
    variant,
    concurrency,
    ttft_ms: figure,
    tpot_ms: { p50: null },
    e2e_ms: { p50: null },
    p50_intervals: { ttft_ms: interval },
  }
}

describe("a comparison of two benches", () => {
  it("tells a difference only when the intervals of the medians lie apart", () => {
    const before = [level("a", 8, 200, [195, 205])]
    expect(compareBenches(before, [level("a", 8, 150, [145, 155])])).toEqual([
      {
        level: "8 in flight",
        figure: "TTFT",
        name: "ttft_ms",
        before: 200,
        after: 150,
        percent: -25,
        verdict: "faster",
      },
    ])
    expect(compareBenches(before, [level("a", 8, 300, [250, 350])])[0]?.verdict).toBe("slower")
    expect(compareBenches(before, [level("a", 8, 150, [100, 200])])[0]?.verdict).toBe("no clear difference")
    expect(compareBenches(before, [level("a", 8, 150, [null, null])])[0]?.verdict).toBe("no clear difference")
  })

  it("pairs a renamed single variant by load, and several variants by name", () => {
    expect(compareBenches([level("a", 8, 200, [195, 205])], [level("b", 8, 200, [195, 205])])).toHaveLength(1)
    const two = [level("a", 8, 1, [null, null]), level("b", 8, 2, [null, null])]
    expect(compareBenches(two, two).map(({ level: name }) => name)).toEqual(["a, 8 in flight", "b, 8 in flight"])
  })

  it("says when the benches have no load in common", () => {
    const changes = compareBenches([level("a", 8, 200, [195, 205])], [level("a", 16, 200, [195, 205])])
    expect(compareText(changes, "old.json")).toContain("no load in common")
  })
})
