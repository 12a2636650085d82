import { describe, expect, it } from "vitest"
import { parseFigureName } from "../../src/analyse/decide/figure-name.ts"
import { keepsConstraint, parseConstraints } from "../../src/estimate/constraints.ts"

const limitOf = (text: string) => parseConstraints(text).map(({ figure, below, limit }) => [figure, below, limit])

describe("parseConstraints", () => {
  it("reads limits as people write them", () => {
    expect(limitOf("p95 TTFT < 800 ms and < 2 USD per 1,000")).toEqual([
      ["ttftMs.p95", true, 800],
      ["costUsd", true, 0.002],
    ])
    expect(limitOf("median E2E <= 1.5 s, cost < $2 per 1k")).toEqual([
      ["e2eMs.p50", true, 1500],
      ["costUsd", true, 0.002],
    ])
    expect(limitOf("quality >= 80 %; memory < 4 GiB")).toEqual([
      ["quality", false, 0.8],
      ["memoryBytes", true, 4 * 1024 ** 3],
    ])
    expect(limitOf("exact match > 0.9")).toEqual([["exact match", false, 0.9]])
    expect(limitOf("total_cost < 20")).toEqual([["total_cost", true, 20]])
  })
  it("knows the words for figures before a statistic, too", () => {
    expect(limitOf("latency.p95 < 800 and ttft.mean < 1 s")).toEqual([
      ["e2eMs.p95", true, 800],
      ["ttftMs.mean", true, 1000],
    ])
  })
  it("refuses what it cannot read, and says how to write it", () => {
    expect(() => parseConstraints("fast please")).toThrow(/"fast please" cannot be read; write for example/)
    expect(() => parseConstraints("ttft < 3 parsecs")).toThrow(/unknown unit "parsecs"/)
    expect(() => parseConstraints("< 5 ms")).toThrow(/cannot be read/)
  })
  it("holds the limit itself only where it says so", () => {
    const [strict, inclusive] = parseConstraints("x < 5 and x <= 5")
    expect(keepsConstraint(5, strict as never)).toBe(false)
    expect(keepsConstraint(5, inclusive as never)).toBe(true)
    expect(keepsConstraint(null, inclusive as never)).toBe(false)
  })
})

describe("parseFigureName", () => {
  it("takes medians of latencies and means of everything else", () => {
    expect(parseFigureName("ttftMs")).toEqual({ figure: "ttftMs", statistic: "quantile", q: 0.5 })
    expect(parseFigureName("costUsd")).toEqual({ figure: "costUsd", statistic: "mean", q: 0.5 })
    expect(parseFigureName("e2eMs.p99")).toEqual({ figure: "e2eMs", statistic: "quantile", q: 0.99 })
    expect(parseFigureName("e2eMs.mean")).toMatchObject({ statistic: "mean" })
    expect(() => parseFigureName("e2eMs.p0")).toThrow(/not a percentile/)
  })
})
