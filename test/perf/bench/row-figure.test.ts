import { describe, expect, it } from "vitest"
import { rowFigure } from "../../../src/perf/bench/row-figure.ts"

const row = {
  ...{ variant: "m", concurrency: 8, ok: 40, requests_per_second: 9, intervals: { requests_per_second: [8, 10] } },
  ttft_ms: { mean: 210, p50: 200, p99: 400, n: 40, p50_low: 190, p50_high: null },
  capacity: { requests_per_second: 9.5, interval: [9, null] },
  metrics: { exactMatch: { value: 0.5, low: 0.4, high: 0.6, scored: 40, unscored: 0 } },
  unknown: { cost_per_thousand_usd: "no price is known" },
}
const doubted = (...figures: string[]) => ({ ...row, valid: false, doubtful: figures.map((figure) => ({ figure })) })

describe("a figure of a level by its name in a gate", () => {
  it.each([
    ["requestsPerSecond", { value: 9, low: 8, high: 10, n: 40 }],
    ["ttftMs", { value: 200, low: 190, high: null, n: 40 }],
    ["ttftMs.p99", { value: 400, low: null, high: null }],
    ["capacity", { value: 9.5, low: 9, high: null }],
    ["exactMatch", { value: 0.5, low: 0.4, high: 0.6, n: 40 }],
  ])("is found with its interval, an end that is not bounded open: %s", (name, expected) => {
    expect(rowFigure(row, name)).toMatchObject({ status: "known", ...expected })
  })

  it.each([
    ["perThousandUsd", "no price is known"],
    ["tpotMs.p99", "it was not measured"],
  ])("is unknown with its reason: %s", (name, reason) => {
    expect(rowFigure(row, name)).toEqual({ status: "unknown", reason })
  })

  it("is unknown where the client's own error voids it, and all are where a worker was late", () => {
    const unknowns = (entry: Parameters<typeof rowFigure>[0]) =>
      ["ttftMs", "ttftMs.p99", "capacity", "requestsPerSecond"].filter(
        (name) => rowFigure(entry, name).status === "unknown",
      )
    expect(unknowns(doubted("TTFT p99"))).toEqual(["ttftMs.p99"])
    expect(unknowns(doubted("TTFT p50", "SLO limit"))).toEqual(["ttftMs", "capacity"])
    expect(unknowns(doubted())).toHaveLength(4)
  })
})
