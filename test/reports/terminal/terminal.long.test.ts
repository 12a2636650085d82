import { describe, expect, it } from "vitest"
import { renderMarkdown } from "../../../reports/export/markdown.ts"
import { cells } from "../../../reports/terminal/style.ts"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import type { Verdict } from "../../../src/core/report/comparison.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { hostileTexts } from "../../support/hostile-texts.ts"
import { poisoned } from "../../support/poison.ts"
import { syntheticVariants } from "../../support/synthetic/answers.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 900 })
const links = { reportPath: ".evalkit/reports/7f3a.html", next: ["evalkit view 7f3a", "evalkit compare m-f16 m-q8_0"] }
const wide = { columns: 100, color: false, unicode: true }

describe("the terminal summary", () => {
  it("is the golden text", async () => {
    await expect(renderTerminal(report, wide, links)).toMatchFileSnapshot("../../golden/reports/terminal-100.txt")
    await expect(renderTerminal(report, { ...wide, columns: 60, unicode: false }, links)).toMatchFileSnapshot(
      "../../golden/reports/terminal-60-ascii.txt",
    )
  })

  it("of six variants keeps to a hundred columns and seventy lines", () => {
    const lines = renderTerminal(report, wide, links).split("\n")
    expect(lines.length).toBeLessThanOrEqual(70)
    for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(100)
  })

  it("of two variants with ten metrics keeps to sixty lines of eighty columns, a line a metric", () => {
    const two = syntheticInput({ samples: 300, variants: syntheticVariants.slice(0, 2) }).report
    const [metric] = two.metrics
    const extra = Array.from({ length: 10 - two.metrics.length }, (_, i) => `measure${i}`)
    const ten = {
      ...two,
      metrics: [...two.metrics, ...extra.map((name) => ({ ...metric!, name, primary: false }))],
      variants: two.variants.map((variant) => ({
        ...variant,
        quality: [...variant.quality, ...extra.map((name) => ({ ...variant.quality[0]!, metric: name }))],
      })),
    }
    const lines = renderTerminal(ten, { ...wide, columns: 80 }, links).split("\n")
    for (const name of extra) expect(lines.filter((line) => line.includes(name))).toHaveLength(1)
    expect(lines.length).toBeLessThanOrEqual(60)
  })

  it("shows every sentence whole, however many there are", () => {
    const text = renderTerminal(report, wide).replace(/\s+/g, " ")
    for (const { sentence } of report.comparisons) expect(text).toContain(sentence)
  })

  it("gives each limit that is broken a line of its own, the baseline's too, and repeats none that the sentence has", () => {
    const limited = (constraints: readonly string[], columns = 120) =>
      renderTerminal(syntheticInput({ samples: 300, constraints }).report, { ...wide, columns }).split("\n")
    const about = (lines: readonly string[]) => lines.filter((line) => /^ limit /.test(line))
    const both = ["p95 E2E < 300 ms", "exact_match > 0.9"]
    for (const columns of [60, 80, 120]) {
      const lines = limited(both, columns)
      expect(about(lines)).toHaveLength(5)
      expect(lines.join("\n").replace(/\s+/g, " ")).toMatch(
        /limit m-f16: "exact_match > 0\.9" is broken: exact match is 0\.84, between/,
      )
      for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(columns)
    }
    const many = limited(["p95 E2E < 5 ms", "exact_match > 0.9", "energy < 5 J"]).join("\n")
    expect(many.match(/^ limit /gm)).toHaveLength(3)
    expect(many.replace(/\s+/g, " ")).toMatch(/limit "exact_match > 0\.9" is broken by m-f16, [^;]*m-q2_0/)
    const entry = limited(["p95 E2E < 300 ms"])
    expect(entry.join(" ")).toContain('it must keep "p95 E2E < 300 ms", but time end to end (p95) is')
    expect(about(entry)).toEqual([])
  })

  it("drops columns from the right and never exceeds its width", () => {
    for (const columns of [20, 30, 40, 55, 70, 85, 99])
      for (const unicode of [true, false]) {
        const text = renderTerminal(report, { columns, color: true, unicode })
        for (const line of text.split("\n")) expect(cells(line)).toBeLessThanOrEqual(columns)
      }
    const narrow = renderTerminal(report, { ...wide, columns: 50 })
    expect(narrow).toContain("exact match")
    expect(narrow).not.toContain("t/s")
  })

  it("keeps failures, cost and time before a size that is unknown", () => {
    const sizeless = {
      ...report,
      variants: report.variants.map((variant) => ({
        ...variant,
        resources: { ...variant.resources, modelBytes: { status: "unknown" as const, reason: "hosted" } },
      })),
    }
    for (const columns of [60, 80, 100]) {
      const header = renderTerminal(sizeless, { ...wide, columns }).split("\n")[2] ?? ""
      for (const title of ["exact match", "E2E p50", "$ per 1k", "failed"]) expect(header).toContain(title)
      if (columns === 60) expect(header).not.toContain("size")
    }
  })

  it("has no column of a size and of memory where nobody knows either, as of services", () => {
    const hosted = (price: object = {}) => ({
      ...report,
      variants: report.variants.map((variant) => ({
        ...variant,
        resources: {
          ...variant.resources,
          modelBytes: { status: "unknown" as const, reason: "hosted" },
          peakRssBytes: { status: "unknown" as const, reason: "hosted" },
          ...price,
        },
      })),
    })
    const header = (shown: RunReport) => renderTerminal(shown, { ...wide, columns: 160 }).split("\n")[2] ?? ""
    expect(header(hosted())).not.toMatch(/size|memory/)
    // Where one of them is measured, the other says that it is not.
    const modelBytes = { status: "known" as const, value: 4e6, n: 1, method: "file size" }
    expect(header(hosted({ modelBytes }))).toMatch(/size.*memory/)
    expect(renderMarkdown(hosted())).not.toMatch(/\| size|memory/)
  })

  it.each([60, 80, 120])(
    "leaves out no metric that decides, and neither failures nor cost for one, at %i columns",
    (columns) => {
      const extra = ["fluency", "groundedness", "helpfulness", "politeness", "brevity"]
      const [metric] = report.metrics
      const many = {
        ...report,
        metrics: [...report.metrics, ...extra.map((name) => ({ ...metric!, name, primary: true }))],
        variants: report.variants.map((variant) => ({
          ...variant,
          name: `organisation-large-instruct-with-a-long-name-${variant.name}`,
          quality: [...variant.quality, ...extra.map((name) => ({ ...variant.quality[0]!, metric: name }))],
        })),
        frontier: null,
        comparisons: [],
      }
      const lines = renderTerminal(many, { ...wide, columns }).split("\n")
      for (const title of ["exact match", "E2E p50", "$ per 1k", "failed"]) expect(lines[2]).toContain(title)
      for (const name of extra) expect(lines.some((line) => line.includes(name))).toBe(true)
      for (const { name } of report.variants) expect(lines.find((line) => line.includes(name.slice(-5)))).toBeDefined()
      for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(columns)
    },
  )

  it.each([60, 80, 100, 120])("cuts no sentence and hides no variant of a table at %i columns", (columns) => {
    const text = renderTerminal(report, { ...wide, columns }, links)
    expect(text.split("\n").filter((line) => line.includes("\u2026"))).toEqual([])
    const quantization = text.slice(text.indexOf("Quantizations of"))
    for (const name of ["m-q8_0", "m-q4_0", "m-q2_0"]) expect(quantization).toContain(name)
  })

  it("uses no colour and no character outside ASCII where it may not", () => {
    expect(renderTerminal(report, { columns: 100, color: false, unicode: false }, links)).toMatch(/^[ -~\n]*$/)
    expect(renderTerminal(report, { columns: 100, color: true, unicode: true }, links)).toContain("\u001b[1m")
  })

  it("marks the baseline, the frontier, what is dominated and what has no place on it", () => {
    const text = renderTerminal(report, wide)
    expect(text).toMatch(/▲ m-f16/)
    expect(text).toMatch(/● s-q8_0/)
    expect(text).toMatch(/○ m-q2_0/)
    expect(text).toMatch(/· hosted-70b/)
  })

  it.each([
    ["swap", "SWAP"],
    ["keep", "KEEP"],
    ["inconclusive", "INCONCLUSIVE"],
    ["not_comparable", "NOT COMPARABLE"],
    ["invalid", "INVALID"],
  ] as const)("says %s as %s", (verdict: Verdict, word) => {
    const comparisons = report.comparisons.slice(0, 1).map((comparison) => ({ ...comparison, verdict }))
    expect(renderTerminal({ ...report, comparisons }, wide)).toMatch(
      new RegExp(`^ ${word}   +m-q8_0 can replace m-f16: `, "m"),
    )
  })

  it("counts what it does not show", () => {
    const variants = Array.from({ length: 40 }, (_, index) => ({ ...report.variants[1]!, name: `v${index}` }))
    const comparisons = variants.map((variant) => ({ ...report.comparisons[0]!, candidate: variant.name }))
    const text = renderTerminal({ ...report, variants, comparisons }, wide)
    expect(text).toContain("24 more variants")
    expect(text).toContain("32 more comparisons")
    expect(text.split("\n").length).toBeLessThan(95)
  })

  it("shows a variant that failed as a whole with its reason", () => {
    const variants = report.variants.map((variant, index) =>
      index === 1 ? { ...variant, failure: "its server did not start" } : variant,
    )
    expect(renderTerminal({ ...report, variants }, wide)).toMatch(/m-q8_0 +failed: its server did not start/)
  })

  it("lets no hostile text reach the terminal raw", { timeout: 120_000 }, () => {
    for (const payload of hostileTexts) {
      const text = renderTerminal(poisoned(report, payload), wide, links)
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      for (const line of text.split("\n")) expect(cells(line)).toBeLessThanOrEqual(100)
    }
  })

  it("renders a run without variants, comparisons or a frontier", () => {
    const empty = { ...report, variants: [], comparisons: [], frontier: null, checks: [], gate: [], decision: null }
    expect(renderTerminal(empty, wide)).toContain("0 variants")
  })
})
