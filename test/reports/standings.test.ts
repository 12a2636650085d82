import { describe, expect, it } from "vitest"
import { standings, type VariantColumn } from "../../reports/view-model/variant-columns.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { VariantReport } from "../../src/core/report/report.ts"

const figure = (value: number): Figure => ({
  status: "known",
  value,
  low: value - 1,
  high: value + 1,
  n: 600,
  method: "made",
})
const column = {
  ...{ id: "e2eMs", title: "E2E p50/p99", explain: "", unit: "ms", goal: "minimize", primary: false },
  figure: ({ speed }) => speed.e2eMs.p50,
  second: ({ speed }) => speed.e2eMs.p99,
} as const satisfies VariantColumn
const marks = (...pairs: readonly (readonly [p50: number, p99: number])[]) =>
  standings(
    column,
    pairs.map(
      ([p50, p99]) => ({ speed: { e2eMs: { p50: figure(p50), p99: figure(p99) } } }) as unknown as VariantReport,
    ),
  )

describe("the best of a column of two figures", () => {
  it("is no variant whose other figure is the worst", () => {
    expect(marks([100, 200], [50, 900])).toEqual([null, null])
    expect(marks([100, 200], [50, 900], [80, 950])).toEqual([null, "best", null])
  })
  it("is the best of the first where the second is not the worst, or all are equal in it", () => {
    expect(marks([100, 200], [50, 90])).toEqual([null, "best"])
    expect(marks([100, 200], [50, 200])).toEqual([null, "best"])
  })
})
