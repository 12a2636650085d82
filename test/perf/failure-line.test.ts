import { describe, expect, it } from "vitest"
import { createFailureLine } from "../../src/perf/failure-line.ts"

describe("failures over time", () => {
  it("are counted by second and class, in order of time, answers left out", () => {
    const line = createFailureLine()
    line.add(1, 100, "http_5xx")
    line.add(0, 2500, "timeout_gap")
    line.add(0, 2600, "rate_limited")
    line.add(0, 2999, "rate_limited")
    line.add(0, 10, "ok")
    line.add(0, 20, "length")
    expect(line.counts()).toEqual([
      { block: 0, second: 2, outcome: "rate_limited", count: 2 },
      { block: 0, second: 2, outcome: "timeout_gap", count: 1 },
      { block: 1, second: 0, outcome: "http_5xx", count: 1 },
    ])
  })
})
