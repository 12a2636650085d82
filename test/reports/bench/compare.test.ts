import { describe, expect, it } from "vitest"
import { compareText } from "../../../reports/bench/compare.ts"
import { comparisonNotes } from "../../../reports/bench/words/comparison.ts"
import { compareBenches } from "../../../src/perf/bench/compare-benches.ts"
import { benchRow } from "../../support/bench-row.ts"

const textOf = (before: number[], after: number[], valid = true) => {
  const runs = (values: number[]) => values.map((p50) => [{ ...benchRow(p50), valid }])
  const [old, now] = [runs(before), runs(after)]
  const changes = compareBenches(old, now)
  return compareText(changes, "old.json", comparisonNotes(changes, old, now))
}

describe("the table of a comparison of benches", () => {
  it("shows the interval and the p-value of several runs", () => {
    expect(textOf([200, 204, 198], [150, 153, 149])).toMatch(
      /p \(Holm\)\n +8 in flight +TTFT +201 ms +151 ms +−24\.9 % +3, 3 +−27\.3 to −22\.4 % +< 0\.001 +faster/,
    )
  })

  it("asks for several runs where one a side cannot decide", () => {
    expect(textOf([200], [180])).toMatch(/single runs\n single runs: one run a side says nothing about the next one/)
  })

  it("says when nothing is compared, and what was left out", () => {
    expect(textOf([200], [150], false)).toMatch(/no load in common\n before: 1 of 1 result INVALID/)
  })
})
