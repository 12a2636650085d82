import { expect, it } from "vitest"
import { renderMarkdown } from "../../reports/export/markdown.ts"
import { renderTerminal } from "../../reports/terminal/terminal.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const caution = "30 of 100 answers of m-f16 could not be read: choiceMatch lies between 50.0 and 80.0 points"
const section: ReportSection = {
  kind: "unread_answers",
  title: "What unreadable answers count as",
  sentences: [`${caution}, by what they count as.`],
  data: { columns: [], rows: [] },
  caution,
}

it("a section's caution reaches readers who see no sections", () => {
  const report = { ...syntheticInput({ samples: 90 }).report, sections: [section] }
  const terminal = renderTerminal(report, { columns: 120, color: false, unicode: true })
  expect(terminal).toContain(caution)
  expect(renderMarkdown(report)).toContain("could not be read: choiceMatch lies between 50.0 and 80.0 points")
})
