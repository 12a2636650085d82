import { describe, expect, it } from "vitest"
import { groupAccuracy } from "../../metrics/fairness/group-accuracy.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { renderMarkdown } from "../../reports/export/markdown.ts"
import { reportGlossary } from "../../reports/page/glossary.ts"
import { renderTerminal } from "../../reports/terminal/terminal.ts"
import { metricSentence } from "../../src/engine/decide/word-metric.ts"
import { storedMetric } from "../../src/engine/report/stored-metric.ts"
import { metricRecords } from "../../src/engine/run/run-record.ts"
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

  it("stands in the sentences of a comparison", () => {
    const [finding] = report.comparisons[0]!.metrics
    const metric = { name: "exact_match", title: "exact match gap", range: [0, 1] as const }
    expect(metricSentence(finding!, metric, "a", "b")).toContain("exact match gap")
  })
})
