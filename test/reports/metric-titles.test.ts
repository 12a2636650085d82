import { describe, expect, it } from "vitest"
import { groupAccuracy } from "../../metrics/fairness/group-accuracy.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { renderMarkdown } from "../../reports/export/markdown.ts"
import { reportGlossary } from "../../reports/page/glossary.ts"
import { renderTerminal } from "../../reports/terminal/terminal.ts"
import { axisTitle } from "../../reports/view-model/axes.ts"
import { figureTitle, levelsTable } from "../../reports/view-model/slices.ts"
import { storedMetric } from "../../src/analyse/summary/stored-metric.ts"
import { metricRecords } from "../../src/run/run-record.ts"
import { slicesSentences } from "../../src/wording/sections/slices.ts"
import { metricSentence } from "../../src/wording/verdict/metric-sentence.ts"
import { ensurePage, pageOf } from "../support/page.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

describe("what a metric's figure is called, where its name would mislead", () => {
  const input = syntheticInput({ samples: 20 })
  const [exact, ...others] = input.report.metrics
  const report = { ...input.report, metrics: [{ ...exact!, title: "exact match gap" }, ...others] }

  it("is kept with the run", () => {
    const [titled, plain] = metricRecords({ metrics: [groupAccuracy(), exactMatch()], primary: [] })
    expect(titled?.title).toBe("group accuracy gap")
    expect(plain).not.toHaveProperty("title")
    // Where the config that made it is gone, too.
    expect(storedMetric(titled!).title).toBe("group accuracy gap")
    expect(storedMetric(plain!)).not.toHaveProperty("title")
  })

  it("stands in the headings of the terminal, of Markdown and of the page, and is explained there", async () => {
    await ensurePage()
    expect(renderTerminal(report, { columns: 100, color: false, unicode: true })).toContain("exact match gap")
    expect(renderMarkdown(report)).toContain("exact match gap")
    expect(await pageOf({ ...input, report })).toMatch(/<a[^>]* data-word="word-metric-0"[^>]*>exact match gap<\/a>/)
    expect(reportGlossary(report, null).find("exact match gap")?.anchor).toBe("word-metric-0")
  })

  it("stands on the axes of the frontier's pictures, while machines read the name", () => {
    const axes = [{ name: "exact_match", goal: "maximize" as const }, ...(report.frontier?.axes.slice(1) ?? [])]
    const titled = { ...report, frontier: report.frontier && { ...report.frontier, axes } }
    expect(axisTitle(titled, "exact_match")).toBe("exact match gap")
    expect(axisTitle(titled, "costUsd")).toBe("cost")
  })

  it("stands in the tables of slices, where the run kept it", () => {
    const figures = [
      { name: "kpi_1", title: "polite answers", unit: "share", direction: "higher" as const },
      { name: "exact_match", unit: "share", direction: "higher" as const },
      { name: "e2eMs", unit: "ms", direction: "lower" as const },
    ]
    expect(figures.map(figureTitle)).toEqual(["polite answers", "exact match", "median time"])
    const axis = {
      axis: "group",
      title: "group",
      note: null,
      slices: [],
      small: { slices: 0, samples: 0, pooled: false },
    }
    const { columns } = levelsTable({ baseline: "a", figures, axes: [], leftOut: [] }, axis)
    expect(columns.map(({ title }) => title)).toContain("polite answers")
  })

  it("stands in the sentences of slices", () => {
    const metric = { ...exactMatch(), title: "polite answers" }
    const change = {
      ...{
        candidate: "b",
        figure: metric.name,
        before: 0.9,
        after: 0.8,
        rest: 0,
        p: 0.001,
        pAdjusted: 0.002,
        moved: "worse" as const,
      },
      difference: { status: "known" as const, value: -0.1, n: 30, method: "mean" },
    }
    const slices = [{ slice: "north", samples: 30, levels: [], changes: [change] }]
    const axes = [
      { axis: "group", title: "group", note: null, slices, small: { slices: 0, samples: 0, pooled: false } },
    ]
    const other = { ...exactMatch(), name: "other" }
    const figures = [metric, other].map(({ name, direction }) => ({ name, unit: "share", direction }))
    const [first] = slicesSentences({ baseline: "a", figures, axes, leftOut: [] } as never, [metric, other], 0.05)
    expect(first).toContain("north in polite answers (")
  })

  it("stands in the sentences of a comparison", () => {
    const [finding] = report.comparisons[0]!.metrics
    const metric = { name: "exact_match", title: "exact match gap", range: [0, 1] as const }
    expect(metricSentence(finding!, metric, "a", "b")).toContain("exact match gap")
  })
})
