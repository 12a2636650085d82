import type { VariantReport } from "evalkit/reports"
import { describe, expect, it } from "vitest"
import { stopNotes } from "../../../reports/wording/stages.ts"
import { distributionOf } from "../../../src/perf/distribution.ts"
import { wilsonRate } from "../../../src/perf/wilson.ts"

function variant(name: string, stops: readonly number[], lateSpeed: number): VariantReport {
  const stopped = stops.filter((ms) => ms > 200).length
  return {
    name,
    speed: {
      longestStopMs: distributionOf(Float64Array.from(stops).sort(), "nothing"),
      stopShare: wilsonRate(stopped, stops.length),
      lateSpeedRatio: { status: "known", value: lateSpeed, n: stops.length, method: "test" },
    },
  } as unknown as VariantReport
}

describe("what readers notice inside an answer", () => {
  it("is said of variants whose answers stand still, with the longest stop", () => {
    const stops = [...Array.from({ length: 95 }, () => 20), ...Array.from({ length: 5 }, (_, i) => 300 + i)]
    expect(stopNotes({ variants: [variant("odd", stops, 1)] })).toEqual([
      "odd: answers with a stop of more than 200 ms: 5 % (between 2.15 % and 11.2 %), the longest 304 ms",
    ])
  })

  it("is said of answers that slow down", () => {
    expect(stopNotes({ variants: [variant("tired", [20, 30], 0.5)] })).toEqual([
      "tired: the second half of an answer comes at 50 % of the first half\u2019s speed (median)",
    ])
  })

  it("is nothing where neither is so, and in reports that do not know", () => {
    expect(stopNotes({ variants: [variant("even", [20, 30], 0.98)] })).toEqual([])
    expect(stopNotes({ variants: [{ name: "old", speed: {} } as unknown as VariantReport] })).toEqual([])
  })
})
