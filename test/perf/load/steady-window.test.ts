import { describe, expect, it } from "vitest"
import { steadyWindow } from "../../../src/perf/load/steady-window.ts"

describe("the steady window", () => {
  it("runs from the moment when every slot is busy to the start of the last request", () => {
    expect(steadyWindow([0, 10, 100, 110, 200], [100, 110, 200, 210, 300], 2)).toEqual({
      status: "known",
      startMs: 10,
      endMs: 200,
    })
  })

  it("does not count a slot twice when one request ends as the next begins", () => {
    expect(steadyWindow([0, 100, 200], [100, 200, 300], 2)).toMatchObject({ status: "unknown" })
  })

  it("takes the median number in flight where the slots are not stated, so that one late peak does not move it", () => {
    const starts = [0, 10, 100, 110, 200, 210, 215]
    const ends = [100, 110, 200, 210, 300, 310, 315]
    expect(steadyWindow(starts, ends)).toMatchObject({ startMs: 10, endMs: 215 })
  })

  it("opens with the first request of an open loop", () => {
    expect(steadyWindow([0, 500, 1000], [20, 520, 1020], null)).toMatchObject({ startMs: 0, endMs: 1000 })
  })

  it("says when a run is too short to have one", () => {
    const reason = expect.stringContaining("run too short")
    expect(steadyWindow([], [])).toEqual({ status: "unknown", reason })
    expect(steadyWindow([0, 0], [5, 5], 2)).toEqual({ status: "unknown", reason })
  })

  it("is all of the time where requests were sent one at a time, a single one too", () => {
    expect(steadyWindow([0, 110], [100, 200])).toEqual({ status: "known", startMs: 0, endMs: 200 })
    expect(steadyWindow([5], [105])).toEqual({ status: "known", startMs: 5, endMs: 105 })
    expect(steadyWindow([5], [105], null)).toMatchObject({ status: "unknown" })
  })
})
