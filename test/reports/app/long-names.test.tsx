import { h } from "preact"
import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { LinesChart } from "../../../reports/app/charts/lines-chart.tsx"
import { PageProvider, pageContext } from "../../../reports/app/context.tsx"
import type { RowStore } from "../../../reports/app/samples/rows.ts"
import { SampleTable } from "../../../reports/app/samples/sample-table.tsx"
import type { PageFacts } from "../../../reports/page/payload.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

/** What tells the levels of a sweep apart stands at the end of their names. */
const names = ["gpt-thinker-mini-effort-low", "gpt-thinker-mini-effort-high"]
const made = syntheticInput({ samples: 4 }).report
const report = { ...made, variants: made.variants.slice(0, 2).map((own, i) => ({ ...own, name: names[i] as string })) }
const page = (children: preact.ComponentChildren) =>
  render(h(PageProvider, { value: pageContext(report, {} as PageFacts), children }))

describe("long names of variants", () => {
  it("are told apart at the ends of lines", () => {
    const points = [
      { x: 1, y: 1 },
      { x: 2, y: 4 },
    ]
    const lines = names.map((variant, i) => ({ variant, points: points.map(({ x, y }) => ({ x, y: y + i })) }))
    const axis = { title: "t", unit: null }
    const html = page(h(LinesChart, { name: "n", label: "l", lines, x: axis, y: axis }))
    expect(html).toContain("gpt-think…fort-low")
    expect(html).toContain("gpt-think…ort-high")
  })

  it("are told apart at the head of the list of samples", () => {
    const store = { index: { variants: names, sampleIds: [] } } as unknown as RowStore
    const html = page(h(SampleTable, { store, shown: [], chosen: -1, onChoose() {}, onOpen() {} }))
    expect([...html.matchAll(/class="name">([^<]*)</g)].map(([, name]) => name)).toEqual([
      "gpt-th…t-low",
      "gpt-th…-high",
    ])
  })
})
