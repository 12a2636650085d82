import { beforeAll, describe, expect, it } from "vitest"
import { renderMarkdown } from "../../reports/export/markdown.ts"
import { renderTerminal } from "../../reports/terminal/terminal.ts"
import { decidingComparison } from "../../reports/view-model/comparisons.ts"
import { verdictWords } from "../../reports/wording/verdict-words.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { ensurePage, pageOf } from "../support/page.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const input = syntheticInput({ samples: 120 })
const comparison = decidingComparison(input.report)
const decision = { ...input.report.decision, verdict: "swap" } as NonNullable<RunReport["decision"]>
const swap = { ...input.report, decision, gate: [], checks: [], sections: [] } as RunReport
const candidate = comparison?.candidate ?? ""
const other =
  swap.variants.map(({ name: own }) => own).find((name) => name !== candidate && name !== comparison?.baseline) ?? ""

const beside = `the answers of ${candidate} were cut off at 16 tokens`
const caution = (text: string): ReportSection => ({
  kind: "unread_answers",
  title: "What unreadable answers count as",
  sentences: [`${text}.`],
  data: { columns: [], rows: [] },
  caution: text,
})
const reports: Readonly<Record<string, { report: RunReport; doubt: string; everywhere: boolean }>> = {
  "a failed check that belongs beside the verdict": {
    report: { ...swap, checks: [{ name: "cut", status: "failed", message: beside, besideVerdict: true }] },
    doubt: beside,
    everywhere: true,
  },
  "an early end": {
    report: {
      ...swap,
      run: {
        ...swap.run,
        status: "interrupted",
        endedBecause: "the budget of 5 USD is spent",
      } as RunReport["run"],
      variants: swap.variants.map((variant, i) => (i === 0 ? { ...variant, planned: variant.finished + 7 } : variant)),
    },
    doubt: "The run ended early, with ",
    everywhere: true,
  },
  "a section's caution": {
    report: { ...swap, sections: [caution(`9 answers of ${candidate} could not be read`)] },
    doubt: `9 answers of ${candidate} could not be read`,
    everywhere: false,
  },
  "cautions of which the first is about another variant": {
    report: { ...swap, sections: [caution(`8 answers of ${other} were long`), caution(`${candidate} was slow`)] },
    doubt: `${candidate} was slow`,
    everywhere: false,
  },
}
const words = (text: string) =>
  text
    .replace(/<[^>]*>/g, "")
    .replace(/[\\\s]+/g, " ")
    .replaceAll("&#39;", "'")

beforeAll(ensurePage, 120_000)

describe.each(Object.entries(reports))("SWAP with %s", (_, { report, doubt, everywhere }) => {
  it("has the doubt directly below it on the page", async () => {
    const page = await pageOf({ ...input, report })
    const from = page.indexOf('<h1 id="answer-title">')
    const [headline = "", below = ""] = page.slice(from).split("</h1>")
    expect(words(headline)).toContain(verdictWords.swap)
    expect(below.trimStart()).toMatch(/^<p class="doubt">/)
    expect(words(below.slice(0, below.indexOf("</p>")))).toContain(doubt)
  })

  it("has it in the terminal, before doubts about others", () => {
    const text = renderTerminal(report, { columns: 120, color: false, unicode: true })
    expect(text).toContain(doubt)
    if (text.includes(`answers of ${other} were long`))
      expect(text.indexOf(doubt)).toBeLessThan(text.indexOf(`answers of ${other} were long`))
  })

  it.runIf(everywhere)("has it directly below the verdict in the terminal and in Markdown", () => {
    const text = words(renderTerminal(report, { columns: 120, color: false, unicode: true }))
    const sentence = words(comparison?.sentence ?? "")
    expect(
      text
        .slice(text.indexOf(sentence) + sentence.length)
        .trimStart()
        .startsWith(doubt),
    ).toBe(true)
    const [title = "", next = ""] = renderMarkdown(report).split("\n\n")
    expect(title).toContain("SWAP")
    expect(next).toMatch(/^\*\*Mind:\*\* /)
    expect(next.replaceAll("\\", "")).toContain(doubt)
  })
})

it("SWAP without any doubt shows none", async () => {
  expect(await pageOf({ ...input, report: swap })).not.toContain('<p class="doubt">')
})
