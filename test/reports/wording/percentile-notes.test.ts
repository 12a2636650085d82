import { describe, expect, it } from "vitest"
import { percentileNotes } from "../../../reports/wording/percentile-notes.ts"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { VariantReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const variants = syntheticInput({ samples: 3 })
  .report.variants.slice(0, 3)
  .map((variant, i) => ({ ...variant, name: "abc"[i] as string }))
const p99 = (n: number, warning?: string): Figure => ({
  ...{ status: "known", value: 9, n, method: "p99" },
  ...(warning !== undefined && { warning }),
})
const column = (title: string, second: (variant: VariantReport) => Figure) => ({ title, second })
const terminal = { cellsSayWhy: false }
const small = "n too small: p99 needs 459"

describe("what is said of a p99", () => {
  it("is nothing where it rests on enough answers, and of columns without one", () => {
    expect(percentileNotes(variants, [{ title: "failed" }, column("E2E p50/p99", () => p99(900))], terminal)).toEqual(
      [],
    )
  })

  it("is on how few answers it rests, once for all columns", () => {
    const few = (variant: VariantReport) => p99(variant.name === "a" ? 17 : 18, small)
    expect(percentileNotes(variants, [column("TTFT p50/p99", few), column("E2E p50/p99", few)], terminal)).toEqual([
      `p99 of 17 to 18 answers is little more than the slowest of them (${small})`,
    ])
  })

  it("is why there is none, and whose it is", () => {
    const notes = percentileNotes(
      variants,
      [
        column("TTFT p50/p99", ({ name }) =>
          name === "b" ? { status: "unknown", reason: "one answer only" } : p99(900),
        ),
      ],
      terminal,
    )
    expect(notes).toEqual(["? in TTFT p50/p99 of b: no p99 (one answer only)"])
  })

  it("speaks of no p99 where there is no p50 either: of why, unless the cell says it", () => {
    const none: Figure = { status: "unknown", reason: "the answers were not streamed" }
    const columns = ["TTFT p50/p99", "E2E p50/p99"].map((title) => ({
      ...column(title, () => none),
      figure: () => none,
    }))
    expect(percentileNotes(variants, columns, { cellsSayWhy: true })).toEqual([])
    expect(percentileNotes(variants, columns, terminal)).toEqual([
      "unknown in TTFT p50/p99, E2E p50/p99: the answers were not streamed",
    ])
  })
})
