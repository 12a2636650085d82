import { describe, expect, it } from "vitest"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { mostlyLost } from "../../../src/perf/bench/mostly-lost.ts"

/** Loads of a hundred requests each, by variant: how many were answered. */
function lostOf(answered: Readonly<Record<string, readonly number[]>>, more: Partial<BenchResult> = {}) {
  const levels = Object.entries(answered).flatMap(([variant, all]) =>
    all.map((count) => ({ variant, answered: count, requests: 100 })),
  )
  const result = { levels, saturation: new Map(), searches: new Map(), ...more } as unknown as BenchResult
  return mostlyLost(result).map(({ variant, level, answered: count, requests }) => [
    variant,
    level === null ? "all" : "one",
    count,
    requests,
  ])
}

describe("mostlyLost", () => {
  it("names each load of which most requests brought no answer", () => {
    expect(lostOf({ a: [100, 50], b: [100, 12, 0] })).toEqual([
      ["b", "one", 12, 100],
      ["b", "one", 0, 100],
    ])
  })

  it("names a variant once that answered nothing", () => {
    expect(lostOf({ a: [0, 0], b: [100] })).toEqual([["a", "all", 0, 200]])
  })

  it("lets a sweep or a search lose most at a load, but not of all its requests", () => {
    const searches = new Map([["a", {}]]) as unknown as BenchResult["searches"]
    expect(lostOf({ a: [100, 90, 3] }, { searches })).toEqual([])
    expect(lostOf({ a: [100, 0, 0] }, { searches })).toEqual([["a", "all", 100, 300]])
  })
})
