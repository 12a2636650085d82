import { h } from "preact"
import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { PageProvider, pageContext } from "../../../reports/app/context.tsx"
import { SliceTables } from "../../../reports/app/sections/slices.tsx"
import type { PageFacts } from "../../../reports/page/payload.ts"
import { contextCurves } from "../../../reports/view-model/context-curve.ts"
import { type Figure, unknown } from "../../../src/core/report/figure.ts"
import type { SlicesData } from "../../../src/core/report/section-slices.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 4 })
const [first, second] = report.variants.map(({ name }) => name) as [string, string]
const figure = (value: number, half: number): Figure => ({
  ...{ status: "known", value, n: 20, method: "test" },
  ...{ low: value - half, high: value + half },
})

/** Quality falls with the length for the first variant only; what the second costs is not known. */
function data(lengths: readonly string[]): SlicesData {
  const slices = lengths.map((slice, i) => ({
    ...{ slice, samples: 20, changes: [] },
    levels: [
      {
        variant: first,
        figures: [figure(1 - 0.2 * i, 0.1), figure(100 * 2 ** i, 5), figure(500, 5), figure(0.001 * 2 ** i, 0)],
      },
      {
        variant: second,
        figures: [figure(0.9, 0.05), figure(50 * 2 ** i, 5), figure(300, 5), unknown("no price")],
      },
    ],
  }))
  const axis = { axis: "metadata.contextTokens", title: "contextTokens", note: null, slices }
  return {
    baseline: first,
    figures: [
      { name: "numericMatch", unit: "share", direction: "higher" },
      { name: "ttftMs", unit: "ms", direction: "lower" },
      { name: "e2eMs", unit: "ms", direction: "lower" },
      { name: "costUsd", unit: "usd", direction: "lower" },
    ],
    axes: [{ ...axis, small: { slices: 0, samples: 0, pooled: false } }],
    leftOut: [],
  }
}

const page = (slices: SlicesData): string =>
  render(
    h(PageProvider, {
      value: pageContext(report, {} as PageFacts),
      children: h(SliceTables, { title: "Slices", data: slices }),
    }),
  )

describe("the context-length curve on the page", () => {
  it("draws quality, time to first token and cost, each doubling as wide as the next, with intervals", () => {
    const html = page(data(["1024", "2048", "8192"]))
    expect(html.match(/data-chart="context"/g)).toHaveLength(3)
    const path = /class="line v0 d0" d="([^"]*)"/.exec(html)?.[1] ?? ""
    const xs = path
      .split(/[ML]/)
      .slice(1)
      .map((location) => Number(location.split(" ")[0])) as [number, number, number]
    expect((xs[2] - xs[1]) / (xs[1] - xs[0])).toBeCloseTo(2, 1)
    // Three lengths of two variants in two charts, and of one in the third; equal bounds have a whisker, too.
    expect(html.match(/class="whisker/g)).toHaveLength(15)
    expect(html).toContain("tokens of the context (log)")
  })
  it("says the same in words and as a table", () => {
    const html = page(data(["1024", "2048", "8192"]))
    expect(html).toMatch(
      /aria-label="median time to first token against the tokens of the context\. [^"]*100 ms at 1,?024/,
    )
    expect(html).toContain("The same as a table")
    expect(html).toContain("By the length of the context")
  })
  it("leaves out what is not known at two lengths, and is nothing without lengths", () => {
    const cost = contextCurves(data(["1024", "2048"])).find(({ title }) => title === "cost per answer")
    expect(cost?.lines.map(({ variant }) => variant)).toEqual([first])
    expect(contextCurves(data(["short", "long"]))).toEqual([])
    expect(page(data(["short", "long"]))).not.toContain("By the length of the context")
  })
})
