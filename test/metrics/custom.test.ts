import { describe, expect, it } from "vitest"
import { custom } from "../../metrics/custom.ts"
import { unscored } from "../../src/core/metric/metric.ts"
import { scoreOf, summaryOf } from "./lexical-fixtures.ts"

describe("custom", () => {
  const short = custom({
    name: "short",
    direction: "higher",
    measure: (_sample, { text }) => (text === "" ? unscored("empty") : Number(text.length < 5)),
  })

  it("is the mean of the numbers that measure gives", async () => {
    expect(await scoreOf(short, "abc")).toBe(1)
    expect(short.aggregation.kind).toBe("mean")
    expect(
      (
        await summaryOf(short, [
          { hyp: "abc", refs: [] },
          { hyp: "abcdef", refs: [] },
        ])
      ).value,
    ).toBe(0.5)
  })

  it("keeps answers without a figure unscored", async () => {
    expect(await scoreOf(short, "")).toBe("empty")
  })

  it("summarises rows of any type", async () => {
    const spread = custom({
      name: "spread",
      direction: "lower",
      range: [0, 100],
      version: "2",
      measure: async (_sample, { text }) => ({ length: text.length }),
      summarise: (rows) =>
        Math.max(...rows.map(({ length }) => length)) - Math.min(...rows.map(({ length }) => length)),
    })
    expect(
      (
        await summaryOf(spread, [
          { hyp: "abc", refs: [] },
          { hyp: "abcdef", refs: [] },
        ])
      ).value,
    ).toBe(3)
    expect(await scoreOf(spread, "a")).toBeNull()
    expect(spread.signature).toContain("v:2")
  })
})
