import { describe, expect, it } from "vitest"
import { narrowingTest, noNarrowing } from "../../../reports/app/samples/filter.ts"
import type { RowStore } from "../../../reports/app/samples/rows.ts"

/** Three samples with an answer of `a` and one of `b` each: values of exact match, tokens, outcomes. */
const store = {
  index: {
    variants: ["a", "b"],
    metrics: ["exactMatch", "chrf"],
    outcomes: ["ok", "rate_limited"],
    sampleIds: ["1", "2", "3"],
    answers: {
      variant: [0, 1, 0, 1, 0, 1],
      outcome: [0, 0, 0, 1, 0, 0],
      tokens: [5, 50, 6, null, 7, 8],
      values: [
        [1, 0, 1, null, 0, 0],
        [90, 20, 80, null, 30, 40],
      ],
    },
  },
  starts: [0, 2, 4, 6],
} as unknown as RowStore

const passing = (asked: Partial<typeof noNarrowing>) => {
  const test = narrowingTest(store, { ...noNarrowing, ...asked }, "exactMatch")
  return test && [0, 1, 2].filter(test)
}

describe("conditions on one answer of a sample", () => {
  it("ask nothing where nothing is set, and where a limit is no number", () => {
    expect(passing({})).toBeNull()
    expect(passing({ by: "a" })).toBeNull()
    expect(passing({ from: "many", metric: "chrf" })).toBeNull()
    expect(passing({ from: " ", maxTokens: "Infinity" })).toBeNull()
  })

  it("hold values between limits, both included, of the deciding metric or the one that is named", () => {
    expect(passing({ from: "1" })).toEqual([0, 1])
    expect(passing({ to: "0" })).toEqual([0, 2])
    expect(passing({ metric: "chrf", from: "20", to: "40" })).toEqual([0, 2])
  })

  it("hold for one and the same answer", () => {
    expect(passing({ to: "0", minTokens: "10" })).toEqual([0])
    expect(passing({ to: "0", by: "a" })).toEqual([2])
    expect(passing({ from: "1", by: "b" })).toEqual([])
  })

  it("know how an answer ended, and leave out those whose length is not known", () => {
    expect(passing({ ended: "rate_limited" })).toEqual([1])
    expect(passing({ minTokens: "0", by: "b" })).toEqual([0, 2])
    expect(passing({ ended: "no such outcome" })).toBeNull()
  })
})
