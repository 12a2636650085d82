import { describe, expect, it } from "vitest"
import { judgeReasons } from "../../../src/analyse/summary/judge-reasons.ts"

describe("the reasons of judges", () => {
  it("are one line per judge, with what it gave", () => {
    const members = [
      { judge: "a", status: "scored", score: 3.6667, reason: "all facts are there" },
      { judge: "b", status: "abstained", score: null, reason: null },
    ]
    expect(judgeReasons({ kind: "panel", members })).toBe("a: 3.67, all facts are there\nb: abstained")
  })

  it("are null for the rows of other metrics", () => {
    for (const row of [null, 1, "panel", [], {}, { kind: "panel" }]) expect(judgeReasons(row)).toBeNull()
  })
})
