import { describe, expect, it } from "vitest"
import { renderAnnotations } from "../../reports/export/annotations.ts"
import { renderHtml } from "../../reports/export/html.ts"
import { renderJson } from "../../reports/export/json.ts"
import { renderJunit } from "../../reports/export/junit.ts"
import { renderMarkdown } from "../../reports/export/markdown.ts"
import { renderTerminal } from "../../reports/terminal/terminal.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

const input = syntheticInput({ samples: 120 })
const { report } = input
const decision = report.decision as NonNullable<RunReport["decision"]>
const answer = decision.answer as string
/** A text without what a format puts between its words. */
const bare = (text: string) => text.replace(/<[^>]*>|&#?\w+;|[\\\n%]|\s+/g, "")
const has = (text: string, sentence: string) => bare(text).includes(bare(sentence.replaceAll("_", "")))
const plain = (text: string) => text.replaceAll("_", "")

describe("the sentence of a decision", () => {
  it("begins with its answer, and is that of the comparison that it is about", () => {
    const about = report.comparisons.find(({ candidate }) => candidate === decision.about)
    expect(decision.sentence.startsWith(answer)).toBe(true)
    expect(about?.sentence.startsWith(answer)).toBe(true)
    expect(about?.verdict).toBe(decision.verdict)
  })
  it("is printed by every surface as it is", async () => {
    const chunks: string[] = []
    await renderHtml(input, (chunk) => {
      chunks.push(String(chunk))
    })
    const surfaces = {
      terminal: renderTerminal(report, { color: false, columns: 100, unicode: true }),
      markdown: renderMarkdown(report),
      junit: renderJunit(report),
      annotations: renderAnnotations(report).replaceAll("%25", "%"),
      json: renderJson(report),
      page: chunks.join(""),
    }
    const result = Object.entries(surfaces).map(([name, text]) => [name, has(plain(text), answer)])
    expect(result).toEqual(Object.keys(surfaces).map((name) => [name, true]))
  })
  it("shows the one-sided bound that decides, and no two-sided interval beside it", () => {
    expect(decision.sentence).toMatch(/, (at worst|at least|at best) [−+]?[\d.]+ \(95 % confidence, /)
    expect(decision.sentence).not.toMatch(/points \(between/)
  })
})
