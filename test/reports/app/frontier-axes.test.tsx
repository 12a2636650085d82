import { h } from "preact"
import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { FrontierChart } from "../../../reports/app/charts/frontier-chart.tsx"
import { PageProvider, pageContext } from "../../../reports/app/context.tsx"
import { mermaidFrontier } from "../../../reports/export/mermaid.ts"
import { axisColumns, shownPoints } from "../../../reports/view-model/frontier.ts"
import { syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

/** Four variants of which one is far better, and one far dearer, than the others. */
const variants = syntheticVariants.slice(0, 4).map((variant, index) => ({
  ...variant,
  accuracy: [0.08, 0.12, 0.3, 0.95][index] as number,
  usdPerThousand: index === 3 ? 9.5 : 0.01,
}))
const { report: synthetic } = syntheticInput({ samples: 60, variants })
/** Its metric from 0 to 100 lies apart as far as that from 0 to 1 does. */
const report = {
  ...synthetic,
  variants: synthetic.variants.map((variant) => ({
    ...variant,
    quality: variant.quality.map((figure) => {
      const share = variant.quality.find(({ metric }) => metric === "exact_match")?.figure
      if (figure.metric !== "chrf" || share?.status !== "known") return figure
      return { ...figure, figure: { ...share, value: 100 * share.value, low: null, high: null } }
    }),
  })),
}

/** The titles of the axes of the map. */
function titles(across: string, up: string): readonly string[] {
  const columns = axisColumns(report)
  const [x, y] = [across, up].map((name) => columns.find(({ id }) => id === name)!) as [
    (typeof columns)[number],
    (typeof columns)[number],
  ]
  const { points } = shownPoints(report, x, y, { x: null, y: null })
  const chart = h(FrontierChart, {
    ...{ x, y, points, limits: { x: null, y: null }, draws: null, routers: [], part: null },
    onZoom: () => {},
    onLimit: () => {},
  })
  const facts = { samples: 60, answers: 240, embeddedSamples: 60, embeddedAnswers: 240, rules: [] }
  const html = render(h(PageProvider, { value: pageContext(report, facts) }, chart))
  return [...html.matchAll(/class="title"[^>]*>(.*?)<\/text>/g)].map(([, text]) => text ?? "")
}

describe("the axes of the frontier", () => {
  it("are by decades for a cost that is far off, and linear for a share and for a metric from 0 to 100", () => {
    expect(titles("perThousandUsd", "exact_match")).toEqual(["$ per 1k (log) →", "exact match ↑"])
    expect(titles("exact_match", "chrf")).toEqual(["exact match →", "chrf ↑"])
  })
  it("are the same in Markdown's quadrants", () => {
    const heights = [...mermaidFrontier(report).matchAll(/^ {2}".*": \[[\d.]+, ([\d.]+)\]/gm)].map(([, y]) => Number(y))
    const shares = report.frontier?.points.map(({ values: [quality = 0] }) => quality) ?? []
    const [least, most] = [Math.min(...shares), Math.max(...shares)]
    for (const [index, share] of shares.entries())
      expect(heights[index]).toBeCloseTo(0.05 + (0.9 * (share - least)) / (most - least), 2)
  })
})
