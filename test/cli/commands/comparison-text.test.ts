import { expect, it } from "vitest"
import { comparisonText } from "../../../src/cli/compare/comparison-text.ts"
import type { Comparison } from "../../../src/core/report/comparison.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

it("says of an interval without bounds that it has none, not that it lies between infinities", () => {
  const [comparison] = syntheticInput({ samples: 30 }).report.comparisons
  const ttftMs = { status: "known", value: 0, n: 60, method: "paired" } as const
  const said = (low: number | null, high: number | null) =>
    comparisonText({ ...(comparison as Comparison), performance: { ttftMs: { ...ttftMs, low, high } } }, [], [], {
      interactive: false,
      columns: 100,
    })
  const unbounded = "time to first token, B − A: 0 ms (not bounded by these pairs), 60 pairs"
  expect(said(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toContain(unbounded)
  expect(said(null, null)).toContain(unbounded)
  expect(said(-1, 2)).toContain("time to first token, B − A: 0 ms (between −1 and +2), 60 pairs")
})
